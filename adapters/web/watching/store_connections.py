"""The connections of a node to a PostgreSQL server: how many there are, and how many there can be."""

from collections.abc import Callable

from rollbook.adapters.storage.postgres.connecting import POOL, lines_in_use

Shows = Callable[[str, str, Callable[[], float]], None]
"""Adds a gauge: its name, its meaning, and a function that returns its current value, from any thread."""

OF_A_BOOK = 2
"""Connections of one book: its thread's, and that of its bell."""
WATCHING = 1
"""Connections of the watcher."""


def most_connections(books: int) -> int:
    """The most connections of a node with so many books: all books share one pool for seeds, links and notes."""
    return OF_A_BOOK * books + POOL + WATCHING


def show_in(shows: Shows, books: int) -> None:
    """Register the gauges of a node with so many books."""
    shows("store_connections", "Connections to the store, without the watcher's.", lambda: lines_in_use()[0])
    shows("store_connections_used", "Those of them in use.", lambda: lines_in_use()[1])
    shows("store_waiting", "Threads that wait for a connection.", lambda: lines_in_use()[2])
    shows("store_connections_most", "The most connections that there can be.", lambda: most_connections(books))
