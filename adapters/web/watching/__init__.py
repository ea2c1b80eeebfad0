"""Watchers of a store, which notice entries of other programs: one for a file, and one for a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rollbook.adapters.web.watching.watcher import FileWatcher, News, Watcher
from rollbook.application.ports.store_address import Place, ServerAddress


def show_connections(store: Place, shows: Callable[[str, str, Callable[[], float]], None], books: int) -> None:
    """Register the gauges of a node's connections, if its store is on a server. It has so many books open."""
    if isinstance(store, ServerAddress):
        from rollbook.adapters.web.watching.store_connections import show_in

        show_in(shows, books)


def watcher_of(store: Place, news: News, seeds: Path) -> Watcher:
    """The watcher of the store at a place. ``seeds`` is the folder of a file's seeds, with the links to its seats."""
    if isinstance(store, ServerAddress):
        from rollbook.adapters.web.watching.server_watcher import ServerWatcher

        return ServerWatcher(store, news)
    return FileWatcher(store, seeds, news)
