"""Sheets by which people rate outputs of systems, chains and claims, and what their ratings come to."""
