"""Quantities: numbers with units, and dates; parsing with offsets, arithmetic, and formatting."""
