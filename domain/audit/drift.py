"""Differences between the recorded outcome and the one under other rules, in short: before → after.

The words are those of the vocabulary itself, because an audit has to be readable without the ruleset that played.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import zip_longest

import attrs

from rollbook.domain.events import Event

MOST = 3
"""So many differences of one action are listed; the rest is counted."""

LONGEST = 40
_IGNORED_FIELDS = frozenset({"sources", "occasion", "repeat", "typed", "dice", "flat"})
"""Details of a roll that are only mentioned where nothing else of it differs."""

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def describe_drift(recorded: Iterable[Event], now: Iterable[Event]) -> str:
    """The differences between two outcomes of one action: the events that changed, went or came, in a few words."""
    found = list(_differences(tuple(recorded), tuple(now)))
    more = len(found) - MOST
    return (
        "; ".join(found[:MOST]) + (f"; and {more} more" if more > 0 else "") if found else "the same in another order"
    )


def _differences(recorded: tuple[Event, ...], now: tuple[Event, ...]) -> Iterator[str]:
    """Pairs events of the same kind about the same character, in their order."""
    was, comes = _by_kind(recorded), _by_kind(now)
    for key in dict.fromkeys((*was, *comes)):
        for before, after in zip_longest(was.get(key, ()), comes.get(key, ())):
            if before is None:
                yield f"{_called(after)}: none → {_whole(after)}"
            elif after is None:
                yield f"{_called(before)}: {_whole(before)} → none"
            elif before != after:
                yield f"{_called(before)}: {_changed(before, after)}"


def _by_kind(events: Iterable[Event]) -> dict[tuple[type[Event], str], list[Event]]:
    found: dict[tuple[type[Event], str], list[Event]] = defaultdict(list)
    for event in events:
        found[(type(event), _about(event))].append(event)
    return found


def _about(event: Event) -> str:
    """The id of the character whom an event is about."""
    return str(getattr(event, "character", "") or getattr(event, "roller", "") or getattr(event, "holder", ""))


def _called(event: Event) -> str:
    kind = _CAPITAL.sub(" ", type(event).__name__).lower()
    who = _about(event)
    return f"{kind} ({who})" if who else kind


def _changed(before: Event, after: Event) -> str:
    pairs = [
        (field.name, getattr(before, field.name), getattr(after, field.name)) for field in attrs.fields(type(before))
    ]
    differing = [pair for pair in pairs if pair[1] != pair[2]]
    telling = [pair for pair in differing if pair[0] not in _IGNORED_FIELDS] or differing
    return ", ".join(f"{name.replace('_', ' ')} {_short(was)} → {_short(now)}" for name, was, now in telling)


def _whole(event: Event) -> str:
    """The first thing that an event says beside whom it is about."""
    names = (field.name for field in attrs.fields(type(event)) if field.name not in _IGNORED_FIELDS)
    said = (f"{name.replace('_', ' ')} {_short(getattr(event, name))}" for name in names if name not in _WHOM)
    return next(said, "yes")


_WHOM = ("character", "roller", "holder", "purpose")


def _short(value: object) -> str:
    text = str(value) if not isinstance(value, tuple) else ", ".join(map(str, value))
    text = " ".join(text.split())
    return (text if len(text) <= LONGEST else text[: LONGEST - 1] + "…") or "nothing"
