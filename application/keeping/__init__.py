"""Copying, deleting and verifying whole stores and campaigns."""
