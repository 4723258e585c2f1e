"""Plain methods that a user could pick instead, run on the same items."""
