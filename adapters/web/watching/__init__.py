"""Watchers of a store, which notice entries of other programs: one for a file, and one for a server."""

from __future__ import annotations

from pathlib import Path

from rollbook.adapters.web.watching.watcher import FileWatcher, News, Watcher
from rollbook.application.ports.store_address import Place, ServerAddress


def watcher_of(store: Place, news: News, seeds: Path) -> Watcher:
    """The watcher of the store at a place. ``seeds`` is the folder of a file's seeds, with the links to its seats."""
    if isinstance(store, ServerAddress):
        from rollbook.adapters.web.watching.server_watcher import ServerWatcher

        return ServerWatcher(store, news)
    return FileWatcher(store, seeds, news)
