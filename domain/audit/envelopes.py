"""Audit of envelopes: the actor, visibility and rules of an entry must follow from its intent.

A program that records an outcome of the rules could give it to another seat, or hide a public entry from the table.
"""

from collections.abc import Iterator
from operator import attrgetter

import attrs

from rollbook.domain.audit.answers import Finding
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.record import IMPORTED
from rollbook.domain.entries import NO_INTENT, EntryKind, RecordedEntry
from rollbook.domain.events import CharacterHidden, DiceRolled
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import EVERYBODYS, GM, counts_secrets, has_secret_roll, is_secret_roll
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState

_decided = attrgetter("events", "intent", "actor", "ruleset", "version", "provenance")
_DECIDED_NOTHING = ((), NO_INTENT, "", "", "", "played")
_CALLED = {"": "the table", GM: "the GM alone"}


@attrs.define
class Envelopes(Changeable):
    """The envelopes of a ``history`` as it is read: each is looked at before its entry is added. ``found`` is what is wrong."""

    history: History
    found: list[Finding] = attrs.field(factory=list)
    _has_secrets: bool = False
    _has_hidden: bool = False

    def check(self, entry: RecordedEntry, campaign: CampaignState | None, played: Played | None) -> None:
        """Check an entry, with the result of playing it again (``played``) on its ``campaign``."""
        self._has_hidden = self._has_hidden or CharacterHidden in map(type, entry.events)
        if entry.provenance == "played" or not entry.is_outcome:
            for text in self._wrong(entry, campaign, played):
                self.found.append(Finding(entry.number, f"#{entry.action} {text}"))
        self._has_secrets = self._has_secrets or bool(entry.visibility or entry.hidden_events)

    def _wrong(self, entry: RecordedEntry, campaign: CampaignState | None, played: Played | None) -> Iterator[str]:
        if not entry.is_outcome and _decided(entry) != _DECIDED_NOTHING:
            yield "is undone or redone, and the entry has an outcome of its own"
        if played is not None and entry.actor != played.actor:
            yield f"is recorded as done by {entry.actor or 'nobody'}, and is by {played.actor or 'nobody'}"
        if campaign is not None and campaign.name and entry.ruleset != campaign.ruleset:
            yield f"is called an outcome of {entry.ruleset or 'no rules'}, and {campaign.ruleset or 'none'} was played"
        rolls = [event for event in entry.events if event.__class__ is DiceRolled]
        if IMPORTED in [source.kind for roll in rolls for source in roll.sources]:
            yield "was played here, and its dice are called another program's"
        if entry.is_correction and not entry.causation and not self._may_correct(entry):
            yield f"is recorded as corrected by {entry.seat}, who may not: only the GM corrects what another seat did"
        if entry.kind is EntryKind.REVISED and entry.causation and entry.intent != self._before(entry).intent:
            yield "is said to follow from another correction, and something else is asked for in it"
        yield from self._seen_by_others(entry, played)
        yield from self._hidden_otherwise(entry)

    def _before(self, entry: RecordedEntry) -> RecordedEntry:
        return self.history.latest_outcome(entry.action)

    def _may_correct(self, entry: RecordedEntry) -> bool:
        """True if a seat corrects its own action, or is the GM's, or only has a second thought, as any seat may."""
        if entry.is_first:
            return self.history.state.is_gm(entry.seat)
        if self.history.state.is_gm(entry.seat) or entry.seat == self.history.seat_of(entry.action):
            return True
        had = self._before(entry).intent
        more = len(entry.intent.second_thoughts) > len(had.second_thoughts)
        return entry.kind is EntryKind.REVISED and more and entry.intent.params == had.params

    def _seen_by_others(self, entry: RecordedEntry, played: Played | None) -> Iterator[str]:
        own = played.action.visibility if played else ""
        due = {own} if own else {""}
        if not entry.is_first and entry.is_correction:
            due.add(self._before(entry).visibility)
        elif not own and entry.intent.verb not in EVERYBODYS:
            due.add(GM)
        is_known = played is not None or (entry.visibility == GM and entry.kind is not EntryKind.REVISED)
        if is_known and entry.visibility not in due and not (entry.visibility == GM and self._has_hidden):
            whose = _CALLED.get(min(due), min(due))
            yield f"is recorded for {_CALLED.get(entry.visibility, entry.visibility)}, and is for {whose}"

    def _hidden_otherwise(self, entry: RecordedEntry) -> Iterator[str]:
        """The faults in what an entry hides: secret rolls, numbers that count secrets, and names of hidden characters.

        That is worked out as an entry is sealed, and one without a hash never was.
        """
        if not entry.hash:
            return
        shown, counts, due = () if entry.visibility else entry.events, self._has_secrets, set[int]()
        if counts or has_secret_roll(shown):
            secret = (is_secret_roll(event) or (counts and counts_secrets(event)) for event in shown)
            due = {place for place, is_hidden in enumerate(secret) if is_hidden}
        hidden = {*entry.hidden_events}
        if due - hidden or (hidden - due and (entry.visibility or not self._has_hidden)):
            yield "hides other parts from the table than its secrets"
