"""Imported changes that rest on one that is corrected, such as a rest that healed a wound which is undone now.

What was imported is not played again, so such a change stays what it is and goes beyond what the sheet has room for. That is
said, in the preview and as a new revision in the log, and it can be undone too.
"""

from __future__ import annotations

from collections.abc import Iterator

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Effect, Orphans
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.entries import Entry, EntryKind, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.rules.plain_sheet import MAX_HP
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.fold import fold

IMPORTED = "imported"
RESTS = "rests on "
"""How the reason begins for which an imported action has a new revision."""


def follow_imported(comparison: Comparison, action: ActionNumber, entry: RecordedEntry) -> tuple[Event, ...]:
    """What becomes of a later imported action, also where all that came later is left to stand.

    Returns the events that count for it from then on.
    """
    comparison.skipped += 1
    about = sorted(who for who in _about(entry.events) if "@" + who in comparison.differing)
    if not about:
        return entry.events
    beyond = dict(_newly_beyond(comparison.corrected, entry, about))
    was_beyond = dict(_newly_beyond(comparison.recorded, entry, about))
    new = [text for who, text in beyond.items() if who not in was_beyond]
    if new:
        return _resting(comparison, action, entry, "; ".join(new))
    if was_beyond and not beyond and entry.reason.startswith(RESTS):
        _settled(comparison, action, entry)
    return entry.events


def _resting(comparison: Comparison, action: ActionNumber, entry: RecordedEntry, beyond: str) -> tuple[Event, ...]:
    comparison.skipped -= 1
    named = ", ".join(f"#{number}" for number in sorted(comparison.correction.changes))
    why = f"{RESTS}{named}: {beyond}"
    if comparison.correction.effects.get(action) is Orphans.UNDO:
        comparison.propose(action, Effect.RESTS, entry, comparison.undo(action, why=why), reason=why)
        return ()
    comparison.propose(action, Effect.RESTS, entry, _again(comparison, action, entry, why), reason=why)
    return entry.events


def _settled(comparison: Comparison, action: ActionNumber, entry: RecordedEntry) -> None:
    """What it rested on counts again: so does the outcome that says nothing of it."""
    first = next(
        each for each in comparison.history.revisions(action) if each.is_outcome and each.events == entry.events
    )
    said = comparison.metadata(action, follows=True)
    comparison.entries.append(Entry(EntryKind.REDONE, **said, restores=first.revision))


def _again(comparison: Comparison, action: ActionNumber, entry: RecordedEntry, why: str) -> Entry:
    """The same outcome with another reason."""
    return Entry(
        EntryKind.REVISED,
        **comparison.metadata(action, why=why, follows=True),
        events=entry.events,
        intent=entry.intent,
        actor=entry.actor,
        ruleset=entry.ruleset,
        version=entry.version,
        reads=entry.reads,
        provenance=IMPORTED,
    )


def _about(changes: tuple[Event, ...]) -> set[str]:
    """Whose hit points or pools the events may change."""
    return {str(getattr(event, "character", "") or getattr(event, "holder", "")) for event in changes} - {""}


def _newly_beyond(campaign: CampaignState, entry: RecordedEntry, about: list[str]) -> Iterator[tuple[str, str]]:
    """Who is beyond what the sheet has room for after the events and was not before, and how far."""
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
