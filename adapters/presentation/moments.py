"""Moments of a campaign as people write them, and where they lie in its history: for the command line and for pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from rollbook.domain.base.errors import not_found
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber

if TYPE_CHECKING:
    from rollbook.domain.history.history import History

NOW: Final = "now"
ON_ITS_COURSE: Final = (
    r"(?:now | (?P<last>last) | s(?P<session>[0-9]{1,12}) | @(?P<entry>[0-9]{1,12}) | \#?(?P<action>[0-9]{1,12}))"
)
"""A moment of one course of events, as part of a verbose pattern."""
PAST: Final = ("last", "session", "entry", "action")
"""Groups of the pattern that name another moment than now."""

_MOMENT = re.compile(ON_ITS_COURSE, re.VERBOSE)


class Place(NamedTuple):
    """A moment's name, and the last entry and, in the order of play, the last action before it."""

    name: str
    entry: EntryNumber
    action: ActionNumber


def read_moment(text: str) -> re.Match[str] | None:
    """Match a moment as it is written: ``12`` or ``#12``, ``@47``, ``s2``, ``last``, ``now``; None if it is none."""
    return _MOMENT.fullmatch(text.strip())


def place_in(history: History, meant: re.Match[str]) -> Place:
    """Find a moment in a history. Raises NotFound if there is none like that."""
    if meant["session"]:
        return _end_of_session(history, int(meant["session"]))
    if meant["entry"]:
        entry = int(meant["entry"])
        if entry:
            history.entry(entry)
        return Place(f"@{entry}", entry, history.last_played_at(entry))
    action = int(meant["action"]) if meant["action"] else next(history.backwards(), 0)
    return Place(f"#{action}", history.entry_of(action), action)


def _end_of_session(history: History, session: int) -> Place:
    from rollbook.domain.dice.ledger import opened_session

    opened = {opened_session(entry.events): action for action, entry in history.outcomes() if entry is not None}
    opened.pop(0, None)
    if session not in opened:
        raise not_found("session", str(session), map(str, opened))
    name = f"the end of session {session}"
    following = opened.get(session + 1)
    if following is None:
        return Place(name, history.head, next(history.backwards(), 0))
    before = history.order_of(following) - 1
    return Place(name, history.entry_of(following) - 1, history.action_at(before))


def title_of(place: Place, *, corrected: bool) -> str:
    """Words on a past moment beside a heading."""
    return f"after {place.name}, as corrected since" if corrected else f"as known at {place.name}"
