"""Notices what other programs store: a watcher for a store in a file, and one for a store on a server."""
