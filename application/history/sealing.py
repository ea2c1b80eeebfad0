"""Sealing of entries as they are written, so that each follows the one before and hides what the table may not see."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from functools import lru_cache
from secrets import token_hex
from typing import cast

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.head import Head
from rollbook.application.history.idempotency_keys import IdempotencyKey, command_key
from rollbook.domain.actions.speech import GMS, Speech
from rollbook.domain.entries import REASON, Entry, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.chain import halves, seal
from rollbook.domain.history.event_store import NewEntry
from rollbook.domain.history.secrecy import Names, PublicHead, counts_secrets, has_secret_roll, is_secret_roll


class Sealer:
    """Entries that are stored together: each gets its number, its salt and its hash, and is written out."""

    def __init__(self, head: Head, now: int, fingerprint: str, command: IdempotencyKey | None) -> None:
        self.correction = ""
        self.command_digest = ""
        self.entries: list[RecordedEntry] = []
        self.stored: list[NewEntry] = []
        self._number = head.entry
        self._previous_hash = head.hash
        self._shown = head.shown
        self._now = now
        self._fingerprint = fingerprint
        self._command = command
        self._key = command.key if command else ""

    def add(self, proposal: Entry, hidden: Names | None, spoken: Speech = GMS) -> None:
        """Seal an entry; ``hidden`` finds characters whom the table does not know, except in a player's own words."""
        if self.entries:
            self._follow(self.entries[-1])
        bare = self._numbered(proposal, self._hidden_events(proposal, hidden, spoken))
        body = CODEC.body(bare)
        hash_ = halves(body, bare.hidden_events).hash(bare.previous_hash, bare.previous_public_hash)
        entry = _RECORDED(RecordedEntry, (*bare[:-1], hash_))
        key = self._key or (command_key(entry) if entry.command else "")
        stored = CODEC.kind(entry.kind), body + seal(hash_, bare.previous_hash), kinds_of(entry.events), key
        self.stored.append(_NEW(NewEntry, stored))
        self.entries.append(entry)

    def _follow(self, entry: RecordedEntry) -> None:
        self._number, self._previous_hash, self._fingerprint = entry.number, entry.hash, ""
        self._shown = self._shown.after(entry)

    def _numbered(self, proposal: Entry, hidden_events: tuple[int, ...]) -> RecordedEntry:
        shown, command = self._shown, self._command
        has_secrets = shown.secrets or bool(proposal.visibility or hidden_events)
        fields = (
            proposal.kind,
            proposal.action,
            proposal.events,
            self._number + 1,
            proposal.seat,
            proposal.at or self._now,
            *proposal[_REASON:_PUBLIC_NUMBER],
            _public_number(proposal, shown, has_secrets=has_secrets),
            shown.hash if has_secrets else "",
            token_hex(16) if proposal.visibility else "",
            proposal.public_before,
            proposal.causation,
            self.correction if proposal.is_correction else "",
            proposal.stand,
            proposal.reads,
            token_hex(16) if has_secrets else "",
            hidden_events,
            self._fingerprint,
            command.id if command else proposal.command,
            self.command_digest or proposal.command_digest,
            proposal.before,
            self._previous_hash,
            "",
        )
        return _RECORDED(RecordedEntry, fields)

    def _hidden_events(self, proposal: Entry, hidden: Names | None, spoken: Speech) -> tuple[int, ...]:
        """The positions of the events that only the GM may see in an otherwise public entry."""
        if proposal.visibility:
            return ()
        secrets = self._shown.secrets
        if not secrets and hidden is None and not has_secret_roll(proposal.events):
            return ()
        places = tuple(
            place
            for place, event in enumerate(proposal.events)
            if is_secret_roll(event)
            or (secrets and counts_secrets(event))
            or (hidden is not None and spoken.event_names(hidden, event, CODEC.encode(event)))
        )
        return (REASON, *places) if spoken.reason_names(hidden, proposal.reason) else places


_REASON, _PUBLIC_NUMBER = map(Entry._fields.index, ("reason", "public_number"))

# Past the checks of ``__new__``.
_RECORDED = cast("Callable[[type[RecordedEntry], tuple[object, ...]], RecordedEntry]", tuple.__new__)
_NEW = cast("Callable[[type[NewEntry], tuple[object, ...]], NewEntry]", tuple.__new__)


def kinds_of(events: Iterable[Event]) -> tuple[str, ...]:
    """The kinds of events that the store finds an entry by, each once."""
    return _kinds(tuple([event.__class__ for event in events]))


@lru_cache(maxsize=4_096)
def _kinds(classes: tuple[type[Event], ...]) -> tuple[str, ...]:
    """The kinds of these classes, each once; cached, because the same few sequences recur."""
    return tuple(sorted({cls.__name__ for cls in classes}))


def _public_number(proposal: Entry, shown: PublicHead, *, has_secrets: bool) -> int:
    """The action's number among those that the table saw.

    A correction always says it, because nothing else in a player's file says what it corrects. Actions are counted once
    there are secrets; until then everybody can count them.
    """
    if proposal.visibility:
        return 0
    if proposal.is_first:
        return shown.actions + 1 if has_secrets else 0
    return proposal.public_number


LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id() -> str:
    """A unique id."""
    number = int.from_bytes(secrets.token_bytes(17), "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(26))
