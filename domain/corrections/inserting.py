"""Inserting an action that was forgotten into the past: whether it can stand there, what it comes to, and who sees it."""

from rollbook.domain import events
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Effect, Insert
from rollbook.domain.corrections.comparison import Comparison
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import (
    EVERYBODYS,
    GM,
    Names,
    hidden_names,
    intent_names_hidden_character,
    names_hidden_character,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.playing import Played

Events = tuple[Event, ...]

NOTHING_BEFORE = "The campaign begins with #1, so nothing can be put before it."
IN_THE_PAST = ("cut-to", "meanwhile", "scene", "time-zone")
"""The verbs for the whole table that can be inserted; on the others rests too much of what came after."""


def can_be_inserted(verb: type[Action]) -> bool:
    """True if an action of this verb can be put into the past: it settles nothing for the table."""
    return not verb.final and (verb.verb not in EVERYBODYS or verb.verb in IN_THE_PAST)


def check_insertion(history: History, change: Insert, rulebook: Rulebook, seat: str) -> None:
    """Raise Refused if a seat may not insert an action of this verb there, NotFound if there is no such place."""
    if not history.state.is_gm(seat):
        raise Refused(f"Only the GM puts an act into the past; {seat} can ask for it.")
    history.check(change.before)
    if history.order_of(change.before) == 1:
        raise Refused(NOTHING_BEFORE)
    name = change.intent.verb
    verb = rulebook.verbs(history.state_before(change.before)).get(name)
    if verb is not None and not can_be_inserted(verb):
        raise Refused(
            f"{name} settles something for the table at the moment when it is said, so it cannot be put into the past. "
            f"Do it now, without insert."
        )


def insert(comparison: Comparison, action: ActionNumber, change: Insert) -> Events:
    """Propose an inserted action as it comes out on the corrected campaign of its place. Returns its events."""
    campaign, intent = comparison.corrected, change.intent
    hidden = [names for names in (hidden_names(campaign), hidden_names(comparison.history.state)) if names is not None]
    secret = change.secret or any(intent_names_hidden_character(names, intent) for names in hidden)
    played, left = comparison.replay.play_inserted(campaign, action, change, secret=secret)
    if not secret and _says_who_is_hidden(played, hidden):
        secret = True
        played, left = comparison.replay.play_inserted(campaign, action, change, secret=True)
    seen_by = GM if secret else comparison.rulebook.visibility(campaign, intent)
    _check_seen(comparison.history, change, intent, seen_by)
    comparison.propose(Effect.INSERTED, comparison.inserted(action, change, played, seen_by), left=left)
    return played.events


def _says_who_is_hidden(played: Played, hidden: list[Names]) -> bool:
    """True if somebody goes into hiding by it, or its open dice name somebody who is hidden."""
    if any(isinstance(event, events.CharacterHidden) for event in played.events):
        return True
    rolls = [event for event in played.events if isinstance(event, events.DiceRolled)]
    return any(
        names_hidden_character(names, roll.roller, roll.purpose, roll.occasion) for names in hidden for roll in rolls
    )


def _check_seen(history: History, change: Insert, intent: Intent, seen_by: str) -> None:
    """Refuse an action that must not be secret, or a place before an action that not all who see the new one saw."""
    if seen_by and intent.verb in EVERYBODYS:
        raise Refused(f"{intent.verb} is for the whole table, so it cannot be secret or name somebody who is hidden.")
    following = history.taken(change.before).visibility
    if seen_by != GM and following not in ("", seen_by):
        raise Refused(
            f"Not everybody who would see this act saw #{change.before}. Put it before a later act, which they saw."
        )
