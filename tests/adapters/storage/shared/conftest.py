"""Stores that several nodes share."""

from tests.support.shared_stores import seed_key

__all__ = ["seed_key"]
