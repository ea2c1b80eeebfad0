"""All that a store holds, to compare it with another one."""

from __future__ import annotations

from rollbook.domain.history.event_store import WholeStore


def whole(store: WholeStore) -> dict[str, object]:
    """Every stream with its marker, its entries, their kinds and the keys of their commands, and the tombstones."""
    streams = store.campaigns()
    held: dict[str, object] = {"streams": streams, "tombstones": store.tombstones()}
    for stream in streams:
        entries = list(store.read_to_copy(stream))
        assert [(version, one.kind, one.data) for version, one in entries] == [tuple(one) for one in store.read(stream)]
        kinds = {kind for _, one in entries for kind in (one.kind.partition("@")[0], *one.events)}
        commands = {one.command for _, one in entries if one.command}
        found = {kind: [one.version for one in store.read_kinds(stream, [kind])] for kind in sorted(kinds)}
        by_command = {command: store.by_command(stream, command) for command in sorted(commands)}
        held[f"stream {stream}"] = (store.marker(stream), entries, found, by_command)
    return held
