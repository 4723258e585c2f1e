"""Belief in claims: independent evidence, error rates and near duplicates."""
