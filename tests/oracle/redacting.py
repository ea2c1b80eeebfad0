"""What is left when the words of a note are removed for good (docs/safety.md, docs/decisions)."""

from __future__ import annotations

from tests.oracle.stored import NOTES, REMOVABLE, Entry, is_removable, mark
from tests.oracle.timelines import Streams


class Removal:
    """The words of one note of a stream, wherever the campaign has them.

    Where there are none left (any more), nothing happens. ``instead`` are the lines that take the place of others, by stream and
    entry; ``actions`` the notes that get a record, with their entries. What a timeline has from before its fork is not its own
    to remove.
    """

    def __init__(self, streams: Streams, stream: str, action: int) -> None:
        self.streams = streams
        entries = self._notes(stream, action)
        self.words = {word for entry in entries for word in words_of(entry)}
        self.is_note = bool(entries)
        self.is_possible = self.is_note and all(entry.number > streams.base(stream) for entry in entries)
        self.actions: dict[str, dict[int, tuple[int, ...]]] = {}
        for other in sorted(streams.views, key=lambda other: other == stream):
            if self.is_possible and other.partition("~")[0] == stream.partition("~")[0]:
                self._add(other)
        self.instead = {
            other: {number: left(streams.views[other][number - 1]) for numbers in notes.values() for number in numbers}
            for other, notes in self.actions.items()
        }

    def _notes(self, stream: str, action: int) -> list[Entry]:
        return [
            entry
            for entry in self.streams.views[stream]
            if entry.action == action and entry.is_outcome and entry.intent["verb"] in NOTES
        ]

    def _add(self, stream: str) -> None:
        base = self.streams.base(stream)
        for entry in self.streams.views[stream]:
            if not self.words.isdisjoint(words_of(entry)):
                numbers = tuple(each.number for each in self._notes(stream, entry.action))
                if min(numbers) > base:
                    self.actions.setdefault(stream, {})[entry.action] = numbers


def words_of(entry: Entry) -> set[str]:
    """The words of a note and their salt, and what is known of its picture."""
    said = (event.says.get(key, "") for event in entry.events for key in REMOVABLE.get(event.name, ()))
    return {str(word) for word in said if word}


def left(entry: Entry) -> bytes:
    """A stored entry with a mark in the place of each note and picture."""
    return b"\n".join(line if not is_removable(line) else mark(line) for line in entry.lines)
