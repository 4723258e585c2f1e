"""Answers that are reckoned from the numbers of a passage: what is asked, which numbers are meant, and what they give."""
