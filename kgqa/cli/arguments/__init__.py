"""What commands are given: their arguments and options, and the files that they read."""
