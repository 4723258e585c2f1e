"""What is derived from a store for speed: a memory-mapped index that is never trusted where it does not fit the truth."""
