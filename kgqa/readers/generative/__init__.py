"""Readers that write their answers: sequence-to-sequence, fusion-in-decoder, retrieval-augmented generation."""
