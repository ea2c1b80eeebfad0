"""The envelopes of an entry: as they are written, without what is at its default, and as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.entries import NO_INTENT, REASON, Entry, Intent, SecondThought
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.chain import NUMBERS


class Public(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The public envelope: the fields of ``RecordedEntry`` from ``seat`` on, in its order.

    An intent is read as what it is; a ``WrittenIntent`` is written in its place.
    """

    seat: str = ""
    at: int
    reason: str = ""
    visibility: str = ""
    revision: int = 1
    intent: Intent = NO_INTENT
    actor: str = ""
    ruleset: str = ""
    version: str = ""
    provenance: str = "played"
    restores: int = 0
    public_number: int = 0
    previous_public_hash: str = ""
    public_salt: str = ""


class Private(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The private envelope: between ``action`` and ``params`` the next fields of ``RecordedEntry``, in its order.

    ``params`` are those of the intent's that are numbers of this history, ``reason`` is one that is hidden.
    """

    action: ActionNumber
    causation: EntryNumber = 0
    correction: str = ""
    stand: bool = False
    reads: tuple[str, ...] = ()
    salt: str = ""
    hidden_events: tuple[int, ...] = ()
    fingerprint: str = ""
    command: str = ""
    command_digest: str = ""
    params: Mapping[str, ParameterValue] = {}
    reason: str = ""


class Seal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The last line: the last two fields of ``RecordedEntry``."""

    previous_hash: str
    hash: str


class Verb(msgspec.Struct, frozen=True, gc=False):
    """The verb of an intent."""

    verb: str = ""


class PublicOutline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a history notes of the public envelope: the last fields of ``Outline``, in its order."""

    revision: int = 1
    restores: int = 0
    visibility: str = ""
    intent: Verb = Verb()


class PrivateOutline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a history notes of the private envelope: the next fields of ``Outline`` after its kind, in its order."""

    action: ActionNumber
    hidden_events: tuple[int, ...] = ()
    stand: bool = False
    correction: str = ""
    fingerprint: str = ""


class WrittenIntent(msgspec.Struct, omit_defaults=True, kw_only=True):
    """An intent as it is written: without what is at its default, and without the parameters that are numbers of this history."""

    params: Mapping[str, ParameterValue] = {}
    second_thoughts: tuple[SecondThought, ...] = ()
    verb: str


def written(entry: Entry) -> tuple[Public, Private]:
    """Both envelopes of an entry, ready to be encoded."""
    intent, numbers = _written(entry.intent)
    reason, hidden_reason = ("", entry.reason) if REASON in entry.hidden_events else (entry.reason, "")
    public = Public(
        seat=entry.seat,
        at=entry.at,
        reason=reason,
        visibility=entry.visibility,
        revision=entry.revision,
        intent=intent,
        actor=entry.actor,
        ruleset=entry.ruleset,
        version=entry.version,
        provenance=entry.provenance,
        restores=entry.restores,
        public_number=entry.public_number,
        previous_public_hash=entry.previous_public_hash,
        public_salt=entry.public_salt,
    )
    private = Private(
        action=entry.action,
        causation=entry.causation,
        correction=entry.correction,
        stand=entry.stand,
        reads=entry.reads,
        salt=entry.salt,
        hidden_events=entry.hidden_events,
        fingerprint=entry.fingerprint,
        command=entry.command,
        command_digest=entry.command_digest,
        params=numbers,
        reason=hidden_reason,
    )
    return public, private


_NONE: dict[str, ParameterValue] = {}


def _written(intent: Intent) -> tuple[Intent, Mapping[str, ParameterValue]]:
    if intent is NO_INTENT:
        return NO_INTENT, _NONE
    params = intent.params or _NONE  # msgspec leaves out an empty dict, not one of a subclass
    numbers = _NONE
    if not NUMBERS.isdisjoint(params):
        numbers = {name: value for name, value in params.items() if name in NUMBERS}
        params = {name: value for name, value in params.items() if name not in NUMBERS}
    as_written = WrittenIntent(params=params, second_thoughts=intent.second_thoughts, verb=intent.verb)
    return cast("Intent", as_written), numbers
