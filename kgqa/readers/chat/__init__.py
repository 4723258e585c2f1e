"""Readers over a chat server."""
