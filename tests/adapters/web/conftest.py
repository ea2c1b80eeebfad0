"""Stores, clients and servers of the table on the web."""

from tests.support.example_sessions import played
from tests.support.shared_stores import seed_key
from tests.support.web import app, clients, gm, mira, served, sherwood, sherwood_played, spectator

__all__ = ["app", "clients", "gm", "mira", "played", "seed_key", "served", "sherwood", "sherwood_played", "spectator"]
