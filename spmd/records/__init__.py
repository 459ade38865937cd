"""Records in and out: launch records and result records of the interface."""
