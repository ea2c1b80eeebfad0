"""How far back a scene goes when it is rewound, and what of it is undone.

What happened in the story is undone. What bound the table outside of it stays: who sits there, the session and its
dice, what was agreed, what was brought into the open, the game itself, and every X-card with its answer.
"""

from collections.abc import Iterator

from rollbook.domain import events
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.fold import fold

REASON = "rewound after the X-card"
"""The reason of every undone action; it names nobody."""

STAYS: tuple[type[Event], ...] = (
    events.CampaignStarted,
    events.RulesetAdopted,
    events.SeatTaken,
    events.SeatLeft,
    events.SeatRenamed,
    events.SessionOpened,
    events.SessionClosed,
    events.EntropyAdded,
    events.DiceRevealed,
    events.ScreenCounted,
    events.FreshDiceGranted,
    events.TableAgreed,
    events.NoteRedacted,
    events.EntriesRevealed,
    events.XCardRaised,
    events.XCardAnswered,
)
"""An action with one of these is the table's, not the scene's."""


def rewound_actions(history: History, rulebook: Rulebook, to: int = 0) -> tuple[int, ...]:
    """The actions to undo so that the scene begins again, or goes on after action ``to``, which still counts.

    Raises Refused if it is not known how far back the scene goes, if ``to`` lies before it, or if nothing is left to take
    back; NotFound if there is no action of that number.
    """
    begun, is_scene = _begun(history)
    if to:
        history.check(to)
    elif not is_scene:
        raise Refused(
            "No scene was framed in this session, so nothing says how far back to go. Name the last action that is to "
            "stand: rollbook x-card --rewind --to N (rollbook log shows the numbers)."
        )
    if to and to < begun:
        what = "The scene" if is_scene else "The session"
        raise Refused(
            f"{what} begins with #{begun}, and #{to} comes before it. Undo it with rollbook undo if it has to go."
        )
    found = tuple(_going(history, rulebook, (to or begun) + 1))
    if not found:
        raise Refused(f"Nothing has happened after #{to or begun} that could be undone. Go on with --resume or --skip.")
    return found


def _begun(history: History) -> tuple[int, bool]:
    """The action that framed the scene, or else opened the session, and whether it is a scene."""
    for action in range(history.actions, 0, -1):
        entry = history.effective(action)
        for event in entry.events if entry else ():
            if isinstance(event, (events.SceneFramed, events.SessionOpened)):
                return action, isinstance(event, events.SceneFramed)
    return 0, False


def _going(history: History, rulebook: Rulebook, first: int) -> Iterator[int]:
    """The actions from ``first`` on that count, happened in the story and can be undone."""
    campaign = history.state_before(first)
    for action, entry in history.outcomes(first):
        if entry is None:
            continue
        is_story = not any(isinstance(event, STAYS) for event in entry.events)
        if is_story and not rulebook.is_final(campaign, history.intent_of(action)):
            yield action
        campaign = fold(campaign, entry.events)
