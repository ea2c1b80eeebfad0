"""Fate of the actions after a corrected one: played again, they stay the same, change, become orphans or have drifted.

Imported actions are not played again. So a rest that healed a wound which is undone now stays as it is, and heals more
than the sheet has room for: the preview says so, as does a new revision in the log, and the rest can be undone too.
"""

from __future__ import annotations

from collections.abc import Iterator

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Consequence, Effect, Orphans
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import DiceNeeded, PhysicalDice
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.sheet import MAX_HP
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.fold import fold
from rollbook.domain.state.reads import covers

Events = tuple[Event, ...]


def follow(comparison: Comparison, entry: RecordedEntry) -> Events:
    """Play a later action again if the correction affects it. Returns the events that count for it from then on."""
    if comparison.correction.stand or not comparison.is_affected(entry):
        comparison.skipped += 1
        _note_new_reads(comparison, entry)
        return entry.events
    comparison.resolved += 1
    played, refusal = comparison.play(comparison.corrected, entry, comparison.replay.own_dice(entry))
    if played is not None and played.events == entry.events:
        comparison.same.append(entry.action)
        comparison.played_here = played, None
        _revise_reads(comparison, entry, played)
        return entry.events
    as_recorded = None
    if not comparison.cannot_drift(entry):
        as_recorded = comparison.plays_out_the_same(comparison.courses.recorded, entry)
        if as_recorded is None:
            why = "the installed rules no longer give what was recorded"
            comparison.consequences.append(Consequence(entry.action, Effect.DRIFTED, entry, None, why))
            return entry.events
    if isinstance(refusal, DiceNeeded):
        played, refusal = comparison.play(comparison.corrected, entry)
    if isinstance(refusal, DiceError) and isinstance(comparison.correction.dice, PhysicalDice):
        raise refusal
    if isinstance(refusal, (Refused, NotFound)):
        return _orphan(comparison, entry, str(refusal))
    if refusal is not None or played is None:
        raise refusal or AssertionError
    comparison.played_here = played, as_recorded
    comparison.propose(Effect.CHANGED, comparison.revise(entry.action, entry.intent, played, follows=True))
    return played.events


def _note_new_reads(comparison: Comparison, entry: RecordedEntry) -> None:
    """Note that an action left to stand may now read other parts: later corrections must know."""
    if comparison.correction.stand and comparison.is_affected(entry):
        played = comparison.plays_out_the_same(comparison.corrected, entry)
        if played is not None:
            _revise_reads(comparison, entry, played)


def _revise_reads(comparison: Comparison, entry: RecordedEntry, played: Played) -> None:
    """Record what an unchanged outcome reads now, if it is more."""
    if not covers(entry.reads, played.reads):
        comparison.entries.append(comparison.revise(entry.action, entry.intent, played, follows=True))


def _orphan(comparison: Comparison, entry: RecordedEntry, why: str) -> Events:
    correction = comparison.correction
    if correction.effects.get(entry.action, correction.orphans) is Orphans.KEEP:
        ruled = f"kept as a ruling: {why}"
        kept = comparison.again(entry, why=ruled, follows=True, actor="", provenance="ruling")
        comparison.propose(Effect.ORPHANED, kept, reason=why)
        return entry.events
    comparison.propose(Effect.ORPHANED, comparison.undo(entry.action, why=why), reason=why)
    return ()


IMPORTED = "imported"
RESTS = "rests on "
"""Beginning of the reason for the new revision of an imported action."""


def follow_imported(comparison: Comparison, entry: RecordedEntry) -> Events:
    """Propose the fate of a later imported action, even if all later actions are left to stand.

    Returns the events that count for it from then on.
    """
    comparison.skipped += 1
    changed = {getattr(event, "character", "") or getattr(event, "holder", "") for event in entry.events}
    about = sorted(who for who in changed if f"@{who}" in comparison.courses.differing)
    if not about:
        return entry.events
    beyond = dict(_newly_beyond(comparison.corrected, entry, about))
    was_beyond = dict(_newly_beyond(comparison.courses.recorded, entry, about))
    new = [text for who, text in beyond.items() if who not in was_beyond]
    if new:
        return _resting(comparison, entry, "; ".join(new))
    if was_beyond and not beyond and entry.reason.startswith(RESTS):
        _settled(comparison, entry)
    return entry.events


def _resting(comparison: Comparison, entry: RecordedEntry, beyond: str) -> Events:
    comparison.skipped -= 1
    named = ", ".join(f"#{number}" for number in sorted(comparison.correction.changes))
    why = f"{RESTS}{named}: {beyond}"
    if comparison.correction.effects.get(entry.action) is Orphans.UNDO:
        comparison.propose(Effect.RESTS, comparison.undo(entry.action, why=why), reason=why)
        return ()
    comparison.propose(Effect.RESTS, comparison.again(entry, why=why, follows=True), reason=why)
    return entry.events


def _settled(comparison: Comparison, entry: RecordedEntry) -> None:
    """Restore the outcome without the warning, because what it rested on counts again."""
    revisions = comparison.history.revisions(entry.action)
    first = next(each for each in revisions if each.is_outcome and each.events == entry.events)
    restored = comparison.entry(EntryKind.REDONE, entry.action, follows=True, restores=first.revision)
    comparison.entries.append(restored)


def _newly_beyond(campaign: CampaignState, entry: RecordedEntry, about: list[str]) -> Iterator[tuple[str, str]]:
    """The characters who are beyond what the sheet has room for after the events and were not before, and how far."""
    after = fold(campaign, entry.events)
    for name in about:
        was, now = campaign.characters.get(name), after.characters.get(name)
        if now is not None and (beyond := _beyond(now)) and not (was is not None and _beyond(was)):
            yield name, f"{now.name} has {beyond} then"


def _beyond(who: Character) -> str:
    """More hit points than the maximum, or less than nothing of a pool; "" if all is as it can be."""
    most = who.stats.get(MAX_HP)
    if who.lost < 0:
        return f"{-who.lost} hit points too many" if most is None else f"{most - who.lost} of {most} hit points"
    return next((f"{amount} {pool}" for pool, amount in who.pools.items() if amount < 0), "")
