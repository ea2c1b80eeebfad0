"""Entries as they lie in a store: lines of JSON, what they say, and the hashes that they must have (docs/proving.md)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

ZEROS = "0" * 64
NUMBERS = ("action", "entries", "rewound")
"""The parameters that are numbers of the history: they are in the private envelope."""

INSERTED = "ActionInserted"
TAKEN, REVISED, UNDONE, REDONE = "ActionTaken", "ActionRevised", "ActionVoided", "ActionRestored"
_PUBLIC: Mapping[str, Any] = (
    {"seat": "", "reason": "", "actor": "", "visibility": "", "previous_public_hash": "", "ruleset": "", "version": ""}
    | {"intent": {}, "revision": 1, "restores": 0, "public_number": 0, "provenance": "played", "public_salt": ""}
    | {"public_before": 0}
)
_PRIVATE: Mapping[str, Any] = {
    "correction": "",
    "command": "",
    "command_digest": "",
    "fingerprint": "",
    "reason": "",
    "salt": "",
} | {"causation": 0, "stand": False, "hidden_events": [], "params": {}, "reads": [], "before": 0}
"""What a key that was left out means."""


def tagged(tag: str, *parts: bytes) -> bytes:
    """H(tag, …)."""
    return sha256(f"rollbook/chain/1 {tag}\0".encode() + b"".join(parts)).digest()


@attrs.frozen
class Event:
    """One line of an event: its name, what it says, and its bytes. Of removed words there is only a mark."""

    name: str
    says: Mapping[str, Any]
    line: bytes

    @property
    def is_mark(self) -> bool:
        return self.line.startswith(b'["~')

    @property
    def covered(self) -> bytes:
        """What a hash covers: the line, or the mark that can take its place."""
        return mark(self.line) if is_removable(self.line) else self.line


NOTES = ("note", "say", "whisper", "handout", "portrait", "lay-map")
"""The verbs whose words can be removed."""
REMOVABLE = {"NoteWritten": ("text", "salt"), "PictureShown": ("digest", "alt", "salt"), "SeatNamed": ("name", "salt")}
"""The events whose lines can be removed, with the fields that are words."""

WORDS = ("text", "salt", "digest", "alt", "title", "picture", "called", "name")
"""The parameters of those verbs that no envelope holds."""


def is_removable(line: bytes) -> bool:
    """True if a line is that of a note or a picture."""
    return any(line.startswith(f'["{name}@'.encode()) for name in REMOVABLE)


def mark(line: bytes) -> bytes:
    """What is left of a note or a picture."""
    return b'["~%s@1","%s"]' % (line[2 : line.index(b"@")], tagged("line", line).hex().encode())


def words_said(events: tuple[Event, ...]) -> dict[str, Any]:
    """The words of a note, which its events alone hold, by the parameters under which they were said."""
    return {key: event.says.get(key, "") for event in events for key in REMOVABLE.get(event.name, ())}


@attrs.frozen(eq=False, slots=False)
class Entry:
    """One entry of a stream, with every key of its envelopes."""

    number: int
    data: bytes
    kind: str
    public: Mapping[str, Any]
    private: Mapping[str, Any]
    events: tuple[Event, ...]
    hash: str
    previous_hash: str

    @cached_property
    def lines(self) -> list[bytes]:
        return self.data.split(b"\n")

    @property
    def action(self) -> int:
        return int(self.private["action"])

    @property
    def is_outcome(self) -> bool:
        return self.kind in (TAKEN, INSERTED, REVISED)

    @property
    def is_first(self) -> bool:
        """True if it is the first of its action."""
        return self.kind in (TAKEN, INSERTED)

    @property
    def visibility(self) -> str:
        return str(self.public["visibility"])

    @cached_property
    def hidden(self) -> list[int]:
        """The positions of the hidden events."""
        return [place for place in self.private["hidden_events"] if place >= 0]

    @property
    def intent(self) -> dict[str, Any]:
        """The intent, both halves of its parameters together."""
        said = self.public["intent"]
        params = {**said.get("params", {}), **self.private["params"]}
        return {
            "verb": said.get("verb", ""),
            "params": params,
            "second_thoughts": list(said.get("second_thoughts", ())),
        }

    def half(self, *, public: bool) -> bytes:
        """The digest of the public or of the private half."""
        events = [event.covered for at, event in enumerate(self.events) if (at in self.hidden) is not public]
        if public:
            return tagged("public", b"\n".join((self.lines[0], *events)))
        return tagged("private", tagged("line", self.lines[1]), b"\n".join(events))

    @cached_property
    def kept(self) -> bytes:
        return tagged("kept", self.half(public=False), bytes.fromhex(self.previous_hash))

    @cached_property
    def right_hash(self) -> str:
        """The hash that the entry must have."""
        before = bytes.fromhex(self.public["previous_public_hash"])
        return tagged("entry", before, self.half(public=True), self.kept).hex()


def entry_of(number: int, data: bytes) -> Entry:
    """A stored entry, read."""
    lines = data.split(b"\n")
    (kind, public), (_, private), (_, seal) = (json.loads(lines[at]) for at in (0, 1, -1))
    return Entry(
        number,
        data,
        kind.partition("@")[0],
        {**_PUBLIC, **public},
        {**_PRIVATE, **private},
        tuple(_event(line, public["intent"].get("params", {}) if "intent" in public else {}) for line in lines[2:-1]),
        seal["hash"],
        seal["previous_hash"],
    )


def _event(line: bytes, params: Mapping[str, Any]) -> Event:
    name, says = json.loads(line)
    kind = name.partition("@")[0].lstrip("~")
    if not isinstance(says, dict):  # it was removed
        shown = {"portrait_of": params.get("who", ""), "digest": "", "media": params.get("media", "")}
        shown["on_board"] = "across" in params
        named = {"seat": params.get("seat", ""), "name": ""}
        says = {"PictureShown": shown, "SeatNamed": named}.get(kind, {})
    return Event(kind, says, line)


@attrs.frozen
class Store:
    """All streams of a store, and the marker of each that is a timeline."""

    streams: Mapping[str, Sequence[tuple[int, bytes]]]
    markers: Mapping[str, Mapping[str, Any]]


def read_store(path: Path) -> Store:
    """Everything that lies in a SQLite file, read without the program."""
    streams: dict[str, list[tuple[int, bytes]]] = {}
    markers: dict[str, Mapping[str, Any]] = {}
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT originator_id, originator_version, CAST(state AS BLOB) FROM stored_events")
        for stream, version, state in sorted(found, key=lambda row: row[:2]):
            rows = streams.setdefault(stream, [])
            if version > 0:
                rows.append((version, state))
            else:
                markers[stream] = json.loads(state)
    return Store(streams, markers)
