"""What a value is on the machine, and what C's operators and the device's functions make of it."""
