"""The stance of a sentence to its claim, and the context of the claim."""
