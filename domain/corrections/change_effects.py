"""What each kind of change does to the action that it is asked of, and a correction to the actions that come after it.

A later action comes out the same, otherwise, as an orphan, or has drifted. What was imported is not played again. So a rest that
healed a wound which is undone now stays what it is and goes beyond what the sheet has room for: that is said, in the preview and
as a new revision in the log, and it can be undone too.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections import changes
from rollbook.domain.corrections.changes import Amend, Change, Consequence, Effect, Orphans
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import DiceNeeded, NoDice, PhysicalDice
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry, without_words
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.adjustments import ADJUST
from rollbook.domain.rules.sheet import MAX_HP
from rollbook.domain.rules.table import Played
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.fold import Draft, fold
from rollbook.domain.state.reads import covers

Events = tuple[Event, ...]


def correct(comparison: Comparison, action: ActionNumber, change: Change) -> Events:
    """Propose what a change does to its action. Returns the events that count for the action from then on."""
    if isinstance(change, changes.Undo):
        comparison.propose(Effect.UNDONE, comparison.undo(action))
        return ()
    outcome = comparison.history.latest_outcome(action)
    if isinstance(change, changes.Redo):
        return _redo(comparison, outcome, change)
    if isinstance(change, changes.ThinkAgain):
        return _think_again(comparison, outcome, change)
    assert isinstance(change, Amend)
    return _amend(comparison, outcome, change)


def _redo(comparison: Comparison, latest: RecordedEntry, change: changes.Redo) -> Events:
    """Bring an outcome back as it was, or, if the campaign has been corrected since, as it comes out now."""
    action = latest.action
    outcome = comparison.history.revision(action, change.revision) if change.revision else latest
    try:
        played = _restored(comparison, outcome)
    except (Refused, NotFound) as refusal:
        if not change.if_possible:
            raise
        comparison.consequences.append(Consequence(action, Effect.STAYS_UNDONE, outcome, None, str(refusal)))
        return ()
    if played and (played.events != outcome.events or not covers(outcome.reads, played.reads)):
        return _revise(comparison, outcome, outcome.full_intent, played, Effect.REDONE)
    is_left = played is None and outcome.provenance == "played"
    restored = comparison.entry(EntryKind.REDONE, action, restores=outcome.revision, stand=is_left)
    comparison.propose(Effect.REDONE, restored, outcome)
    return outcome.events


def _restored(comparison: Comparison, outcome: RecordedEntry) -> Played | None:
    """An outcome as it comes out now; None if it is to be brought back as it was recorded."""
    if not comparison.can_be_played(outcome):
        return None
    if comparison.correction.stand:
        return comparison.plays_out_the_same(comparison.corrected, outcome)
    played, refusal = comparison.play(comparison.corrected, outcome, comparison.replay.own_dice(outcome))
    if (played is None or played.events != outcome.events) and comparison.has_drifted(outcome):
        return None
    if isinstance(refusal, DiceNeeded):
        played, refusal = comparison.play(comparison.corrected, outcome)
    if refusal is not None:
        raise refusal
    return played


def _amend(comparison: Comparison, outcome: RecordedEntry, change: Amend) -> Events:
    intent, override = _amended(comparison, outcome, change), change if isinstance(change, changes.Override) else None
    if change.only_adjusts and outcome.provenance != "played":
        return _adjust(comparison, outcome, intent, change)
    if change.typed:
        played, unused = comparison.replay.play_retyped(comparison.corrected, outcome, intent, change.typed)
        return _revise(comparison, outcome, intent, played, unused=unused)
    played = comparison.replay.play(comparison.corrected, outcome, intent, override=override)
    if override and played.events == outcome.events:
        raise Refused(f"The dice of action #{outcome.action} show that already.")
    return _revise(comparison, outcome, intent, played)


def _think_again(comparison: Comparison, outcome: RecordedEntry, change: changes.ThinkAgain) -> Events:
    meant = outcome.full_intent
    intent = attrs.evolve(meant, second_thoughts=(*meant.second_thoughts, change.thought))
    played = comparison.replay.play(comparison.corrected, outcome, intent)
    if played.events == outcome.events:
        raise Refused(
            f"A second thought is for a roll of the last action, and #{outcome.action} ({intent.verb}) has none that this one "
            f"could change."
        )
    return _revise(comparison, outcome, intent, played)


def _revise(
    comparison: Comparison,
    outcome: RecordedEntry,
    intent: Intent,
    played: Played,
    effect: Effect = Effect.AMENDED,
    unused: tuple[int, ...] | None = None,
) -> Events:
    seen_by = comparison.seen_by(outcome, intent)
    revised = comparison.revise(outcome.action, intent, played, visibility=seen_by)
    comparison.propose(effect, revised, left=unused)
    return played.events


def _amended(comparison: Comparison, outcome: RecordedEntry, change: Amend) -> Intent:
    meant, reason = outcome.full_intent, comparison.correction.reason
    had = tuple(thought for thought in meant.second_thoughts if thought.kind != ADJUST or not change.unadjusted)
    more = (attrs.evolve(adjustment, why=reason).thought() for adjustment in change.adjustments)
    params = meant.params
    if change.params:
        verb = comparison.rulebook.verbs(comparison.corrected).get(meant.verb, Action)
        params = verb.amended(meant.params, change.params, outcome.events)
    return attrs.evolve(meant, params=params, second_thoughts=(*had, *more))


def _adjust(comparison: Comparison, outcome: RecordedEntry, intent: Intent, change: Amend) -> Events:
    """Add adjustments to the events of an outcome that was imported or ruled, and is not played again."""
    draft = Draft(comparison.corrected)
    draft.apply(outcome.events)
    events, reads, why = outcome.events, set(outcome.reads), comparison.correction.reason
    for each in change.adjustments:
        params: dict[str, ParameterValue] = {"who": each.who, "what": each.what, "by": each.by, "reason": why}
        played = comparison.rulebook.play(draft.publish(), Intent(verb=ADJUST, params=params), NoDice())
        draft = Draft(played.campaign)
        events, reads = (*events, *played.events), reads | {*played.reads}
    seen_by = GM if comparison.names_hidden_character(outcome.action, intent) else outcome.visibility
    meant = without_words(intent, events)
    revised = comparison.again(outcome, events=events, intent=meant, reads=tuple(sorted(reads)), visibility=seen_by)
    comparison.propose(Effect.AMENDED, revised)
    return events


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
    """An action that is left to stand may read other parts from here on, which later corrections must know."""
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
"""How the reason begins for which an imported action has a new revision."""


def follow_imported(comparison: Comparison, entry: RecordedEntry) -> Events:
    """Propose what becomes of a later imported action, also where all that came later is left to stand.

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
