"""Removing the words of a note for good: what is left of its entries, and the record that binds what is left.

Nothing else can ever be removed. The digests of the events stay, so the chain verifies; the words and their salt are gone,
so nobody can find them by guessing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from domain.chain import canonical, halves, has_halves, is_first_form, marked, remains, unsealed, was
from domain.chain import event_digest as digest_of
from domain.errors import Refused
from domain.events import NoteWritten, Resolved
from domain.history import Entry, History

Stored = tuple[str, bytes]
NOTE = "note"
"""The only verb whose words can be removed."""
WORDS = ("text", "salt")
"""What of a note's parameters and facts is removed."""


@attrs.frozen
class Redacted:
    """An entry as it is left: its number and its stored events."""

    entry: int
    events: tuple[Stored, ...]


def check_redactable(history: History, action: int) -> tuple[int, ...]:
    """The entries of a note. Raises NotFound for no action, Refused for one that is no note or has no words left."""
    entries = [entry for entry in history.revisions(action) if _is_of_a_note(entry)]
    if not entries or history.intent_of(action).verb != NOTE:
        raise Refused(
            f"Action #{action} ({history.intent_of(action).verb}) is no note. Only the words of a note can be removed; "
            f"everything else can be taken back: rollbook undo {action}"
        )
    if not any(words_of(entry) for entry in entries):
        raise Refused(f"The words of #{action} are removed already.")
    return tuple(entry.number for entry in entries)


def notes_with(history: History, words: frozenset[str]) -> tuple[int, ...]:
    """The actions that are notes and have one of these words or salts in any of their entries."""
    found = (entry for entry in history.entries if _is_of_a_note(entry) and not words.isdisjoint(words_of(entry)))
    return tuple(dict.fromkeys(entry.header.action for entry in found))


def words_of(entry: Entry) -> frozenset[str]:
    """What of an entry would be removed."""
    header = entry.header
    params = header.intent.params if isinstance(header, Resolved) else {}
    said = [str(params.get(key, "")) for key in WORDS]
    said += [word for fact in entry.facts if isinstance(fact, NoteWritten) for word in (fact.text, fact.salt)]
    return frozenset(said) - {""}


def _is_of_a_note(entry: Entry) -> bool:
    return isinstance(entry.header, Resolved) and entry.header.intent.verb == NOTE


def redacted(number: int, events: Sequence[Stored]) -> Redacted:
    """An entry without its words, from its stored events, the header first."""
    name, header = events[0]
    salt = json.loads(header)["salt"]
    facts = tuple(_emptied(*event, salt=salt if is_first_form(name) else "") for event in events[1:])
    return Redacted(number, ((name, _emptied_header(events)), *facts))


def _emptied(name: str, data: bytes, *, salt: str) -> Stored:
    if not name.startswith(f"{NoteWritten.__name__}@") or was(data)[1]:
        return name, data
    fields = _without_words(json.loads(data))
    return name, marked(canonical(fields), digest_of(name, data, salt).hex())


def _emptied_header(events: Sequence[Stored]) -> bytes:
    name, header = events[0]
    if was(header)[1]:
        return header
    fields = json.loads(header)
    if has_halves(name, fields["salt"]):
        before = digest_of(name, canonical(halves(events).header))
    else:
        before = digest_of(name, unsealed(header)[0], fields["salt"])
        fields["salt"] = ""
    fields["intent"]["params"] = _without_words(fields["intent"]["params"])
    return marked(canonical(fields), before.hex())


def _without_words(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: "" if key in WORDS else value for key, value in fields.items()}


def bound(left: Iterable[Redacted]) -> tuple[str, ...]:
    """What is left of each entry, as the record of the removal binds it: number=digest."""
    return tuple(f"{one.entry}={remains(one.events)}" for one in left)
