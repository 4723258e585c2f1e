"""The numeric reader: operations on the numbers and dates of a passage."""
