"""What commands print: answers and explanations on stdout, notes and progress on stderr, pictures."""
