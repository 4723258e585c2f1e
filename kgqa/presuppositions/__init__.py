"""What a question takes for granted: how it is found, checked and corrected."""
