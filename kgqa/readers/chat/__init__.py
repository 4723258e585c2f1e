"""Readers that ask a chat server."""
