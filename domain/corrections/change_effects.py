"""Effects of each kind of change on the action that it is asked of."""

from __future__ import annotations

import attrs

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections import changes
from rollbook.domain.corrections.changes import Amend, Change, Consequence, Effect
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.corrections.inserting import insert
from rollbook.domain.dice.supply import DiceNeeded, NoDice
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry, without_words
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.sheet_rulings import ADJUST
from rollbook.domain.state.fold import Draft
from rollbook.domain.state.reads import covers

Events = tuple[Event, ...]


def correct(comparison: Comparison, action: ActionNumber, change: Change) -> Events:
    """Propose what a change does to its action. Returns the events that count for the action from then on."""
    if isinstance(change, changes.Undo):
        comparison.propose(Effect.UNDONE, comparison.undo(action))
        return ()
    if isinstance(change, changes.Insert):
        return insert(comparison, action, change)
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
