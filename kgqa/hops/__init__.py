"""Links of a passage: which of them leads to what a question lacks, which part of the linked article tells it, and the hops."""
