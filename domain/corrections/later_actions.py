"""What a correction does to the actions that come after it: the same, another outcome, an orphan, or drift."""

from __future__ import annotations

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Consequence, Effect, Orphans
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import DiceNeeded, PhysicalDice
from rollbook.domain.entries import Entry, EntryKind, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.reads import covers

Events = tuple[Event, ...]


def follow(comparison: Comparison, action: ActionNumber, entry: RecordedEntry) -> Events:
    """Play a later action again if the correction affects it. Returns the events that count for it from then on."""
    if comparison.correction.stand or not comparison.is_affected(entry):
        comparison.skipped += 1
        _note_new_reads(comparison, action, entry)
        return entry.events
    comparison.resolved += 1
    played, refusal = comparison.play(comparison.corrected, entry, comparison.replay.own_dice(entry))
    if played is not None and played.events == entry.events:
        _stays(comparison, action, entry, played)
        return entry.events
    as_recorded = None
    if not comparison.cannot_drift(entry):
        as_recorded = comparison.plays_out_the_same(comparison.recorded, entry)
        if as_recorded is None:
            return _drifted(comparison, action, entry)
    if isinstance(refusal, DiceNeeded):
        played, refusal = comparison.play(comparison.corrected, entry)
    if isinstance(refusal, DiceError) and isinstance(comparison.correction.dice, PhysicalDice):
        raise refusal
    if isinstance(refusal, (Refused, NotFound)):
        return _orphan(comparison, action, entry, str(refusal))
    if refusal is not None or played is None:
        raise refusal or AssertionError
    comparison.played_here = played, as_recorded
    revised = comparison.revise(action, entry.intent, played, follows=True)
    comparison.propose(action, Effect.CHANGED, entry, revised)
    return played.events


def _stays(comparison: Comparison, action: ActionNumber, entry: RecordedEntry, played: Played) -> None:
    """The outcome is unchanged; if it now reads more, record a revision with the new reads."""
    comparison.same.append(action)
    comparison.played_here = played, None
    _revise_reads(comparison, action, entry, played)


def _note_new_reads(comparison: Comparison, action: ActionNumber, entry: RecordedEntry) -> None:
    """An action that is left to stand may read other parts from here on, which later corrections must know."""
    if comparison.correction.stand and comparison.is_affected(entry):
        played = comparison.plays_out_the_same(comparison.corrected, entry)
        if played is not None:
            _revise_reads(comparison, action, entry, played)


def _revise_reads(comparison: Comparison, action: ActionNumber, entry: RecordedEntry, played: Played) -> None:
    if not covers(entry.reads, played.reads):
        comparison.entries.append(comparison.revise(action, entry.intent, played, follows=True))


def _drifted(comparison: Comparison, action: ActionNumber, entry: RecordedEntry) -> Events:
    why = "the installed rules no longer give what was recorded"
    comparison.consequences.append(Consequence(action, Effect.DRIFTED, entry, None, why))
    return entry.events


def _orphan(comparison: Comparison, action: ActionNumber, entry: RecordedEntry, why: str) -> Events:
    correction = comparison.correction
    if correction.effects.get(action, correction.orphans) is Orphans.KEEP:
        kept = Entry(
            EntryKind.REVISED,
            **comparison.metadata(action, why=f"kept as a ruling: {why}", follows=True),
            events=entry.events,
            intent=entry.intent,
            ruleset=entry.ruleset,
            version=entry.version,
            reads=entry.reads,
            provenance="ruling",
        )
        comparison.propose(action, Effect.ORPHANED, entry, kept, reason=why)
        return entry.events
    comparison.propose(action, Effect.ORPHANED, entry, comparison.undo(action, why=why), reason=why)
    return ()
