"""What is known of a launch: sizes, arguments, what is required, what its accesses are."""
