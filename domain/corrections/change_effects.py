"""What each kind of change does to the action that it is asked of: undo, redo, amend, override, a second thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import attrs

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Amend, Change, Consequence, Effect, Override, Redo, ThinkAgain, Undo
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.dice.supply import DiceNeeded, NoDice
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, without_words
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.history.secrecy import GM
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.adjustments import ADJUST
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.fold import Draft
from rollbook.domain.state.reads import covers

Events = tuple[Event, ...]


class Corrected(NamedTuple):
    """An action that is corrected, with the entry that counts for it so far (None: none does)."""

    action: ActionNumber
    counts: RecordedEntry | None


def correct(comparison: Comparison, corrected: Corrected, change: Change) -> Events:
    """Propose what a change does to its action. Returns the events that count for the action from then on."""
    return _STRATEGIES[type(change)](comparison, corrected, change)


def _undo(comparison: Comparison, corrected: Corrected, _: Undo) -> Events:
    comparison.propose(corrected.action, Effect.UNDONE, corrected.counts, comparison.undo(corrected.action))
    return ()


def _redo(comparison: Comparison, corrected: Corrected, change: Redo) -> Events:
    """Bring an outcome back as it was, or, if the campaign has been corrected since, as it comes out now."""
    action, history = corrected.action, comparison.history
    outcome = history.revision(action, change.revision) if change.revision else history.latest_outcome(action)
    try:
        played = _restored(comparison, outcome)
    except (Refused, NotFound) as refusal:
        if not change.if_possible:
            raise
        comparison.consequences.append(Consequence(action, Effect.STAYS_UNDONE, outcome, None, str(refusal)))
        return ()
    if played and (played.events != outcome.events or not covers(outcome.reads, played.reads)):
        return _revise(comparison, corrected, outcome, outcome.full_intent, played, Effect.REDONE)
    metadata = comparison.metadata(action)
    is_left = played is None and outcome.provenance == "played"
    restored = Entry(EntryKind.REDONE, **metadata, restores=outcome.revision, stand=is_left)
    comparison.propose(action, Effect.REDONE, corrected.counts, restored, outcome)
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


def _amend(comparison: Comparison, corrected: Corrected, change: Amend) -> Events:
    outcome = comparison.history.latest_outcome(corrected.action)
    intent = _amended(comparison, outcome, change)
    if change.only_adjusts and outcome.provenance != "played":
        return _adjust(comparison, corrected, outcome, intent, change)
    if change.typed:
        played, unused = comparison.replay.play_retyped(comparison.corrected, outcome, intent, change.typed)
        return _revise(comparison, corrected, outcome, intent, played, unused=unused)
    played = comparison.replay.play(comparison.corrected, outcome, intent)
    return _revise(comparison, corrected, outcome, intent, played)


def _override(comparison: Comparison, corrected: Corrected, change: Override) -> Events:
    outcome = comparison.history.latest_outcome(corrected.action)
    intent = _amended(comparison, outcome, change)
    played = comparison.replay.play(comparison.corrected, outcome, intent, override=change)
    if played.events == outcome.events:
        raise Refused(f"The dice of action #{corrected.action} show that already.")
    return _revise(comparison, corrected, outcome, intent, played)


def _think_again(comparison: Comparison, corrected: Corrected, change: ThinkAgain) -> Events:
    outcome = comparison.history.latest_outcome(corrected.action)
    meant = outcome.full_intent
    intent = attrs.evolve(meant, second_thoughts=(*meant.second_thoughts, change.thought))
    played = comparison.replay.play(comparison.corrected, outcome, intent)
    if played.events == outcome.events:
        raise Refused(
            f"A second thought is for a roll of the last action, and #{corrected.action} ({intent.verb}) has none that this one "
            f"could change."
        )
    return _revise(comparison, corrected, outcome, intent, played)


_STRATEGIES: dict[type[Change], Callable[[Comparison, Corrected, Any], Events]] = {
    Undo: _undo,
    Redo: _redo,
    Amend: _amend,
    Override: _override,
    ThinkAgain: _think_again,
}


def _revise(
    comparison: Comparison,
    corrected: Corrected,
    outcome: RecordedEntry,
    intent: Intent,
    played: Played,
    effect: Effect = Effect.AMENDED,
    unused: tuple[int, ...] | None = None,
) -> Events:
    seen_by = comparison.seen_by(outcome, intent)
    revised = comparison.revise(corrected.action, intent, played, visibility=seen_by)
    comparison.propose(corrected.action, effect, corrected.counts, revised, left=unused)
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


def _adjust(
    comparison: Comparison, corrected: Corrected, outcome: RecordedEntry, intent: Intent, change: Amend
) -> Events:
    """What was imported or ruled is not played again: the adjustments join its events."""
    draft = Draft(comparison.corrected)
    draft.apply(outcome.events)
    events, reads, why = outcome.events, set(outcome.reads), comparison.correction.reason
    for each in change.adjustments:
        params: dict[str, ParameterValue] = {"who": each.who, "what": each.what, "by": each.by, "reason": why}
        played = comparison.rulebook.play(draft.publish(), Intent(verb=ADJUST, params=params), NoDice())
        draft = Draft(played.campaign)
        events, reads = (*events, *played.events), reads | {*played.reads}
    metadata = comparison.metadata(corrected.action)
    metadata["visibility"] = GM if comparison.names_hidden_character(corrected.action, intent) else outcome.visibility
    revised = Entry(
        EntryKind.REVISED,
        **metadata,
        events=events,
        intent=without_words(intent, events),
        actor=outcome.actor,
        ruleset=outcome.ruleset,
        version=outcome.version,
        reads=tuple(sorted(reads)),
        provenance=outcome.provenance,
    )
    comparison.propose(corrected.action, Effect.AMENDED, corrected.counts, revised)
    return events
