"""The fields of an envelope are written in one order, so that the same entry is the same bytes under every version."""

from __future__ import annotations

import msgspec

from rollbook.application.encoding.envelopes import Private, Public, written
from rollbook.domain.entries import REASON, Entry, EntryKind, Intent, SecondThought

EVERYTHING = {
    "kind": EntryKind.TAKEN,
    "action": 3,
    "events": (),
    "seat": "gm",
    "at": 5,
    "reason": "for a reason",
    "visibility": "gm",
    "revision": 2,
    "intent": Intent(
        verb="note", params={"text": "words", "action": 2}, second_thoughts=(SecondThought(kind="token"),)
    ),
    "actor": "robin",
    "ruleset": "plain",
    "version": "1",
    "provenance": "ruled",
    "restores": 1,
    "public_number": 4,
    "public_before": 2,
    "previous_public_hash": "a" * 64,
    "public_salt": "b",
    "causation": 1,
    "correction": "c",
    "stand": True,
    "reads": ("@robin",),
    "salt": "d",
    "fingerprint": "e",
    "command": "f",
    "command_digest": "g",
}


def names(envelope: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(envelope)]


def test_all_fields_are_written_in_the_order_of_the_envelopes() -> None:
    public, private = written(Entry(**EVERYTHING, hidden_events=(0,)))
    assert list(public) == names(Public)
    assert list(private) == [name for name in names(Private) if name in private]
    assert {"action", "reads", "hidden_events", "command_digest"} <= private.keys()


def test_a_hidden_reason_is_in_the_private_envelope_alone() -> None:
    public, private = written(Entry(**EVERYTHING, hidden_events=(REASON,)))
    assert "reason" not in public
    assert list(private)[-1] == "reason"


def test_a_field_at_its_default_is_not_written() -> None:
    public, private = written(Entry(EntryKind.TAKEN, 1, ()))
    assert set(public) <= {"at"}
    assert set(private) == {"action"}
