"""Quantities: numbers with units, and dates, read from a text with their places, reckoned with, and written in its form."""
