"""A history that reads its entries on demand answers as one that has read them all, and the fold needs no more than it reads."""

from __future__ import annotations
