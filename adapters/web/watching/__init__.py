"""Notices what other programs store: a watcher for a store in a file, and one for a store on a server."""

from __future__ import annotations

from pathlib import Path

from rollbook.adapters.web.watching.watcher import FileWatcher, News, Watcher
from rollbook.application.ports.store_address import Place, ServerAddress


def watcher_of(store: Place, news: News, seeds: Path) -> Watcher:
    """What watches the store at a place. Beside the ``seeds`` of a file are the links to its seats."""
    if isinstance(store, ServerAddress):
        from rollbook.adapters.web.watching.server_watcher import ServerWatcher

        return ServerWatcher(store, news)
    return FileWatcher(store, seeds, news)
