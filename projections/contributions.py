"""The actions that made a part of a character what it is."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.dice.ledger import opened_session
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.projections.acts import subject_of


@attrs.frozen
class Contribution(Record):
    """An action that changed a part of a character: how, in which session, and from which seat."""

    action: ActionNumber
    verb: str
    what: str
    session: int = 0
    seat: str = ""


_Describe = Callable[[Any], str]

# The kinds of events behind the first word of a path, the field that its second word names, and their words.
_MADE_BY: dict[str, tuple[tuple[type[Event], str, _Describe], ...]] = {
    "stat": ((events.StatChanged, "stat", lambda e: f"{e.amount:+d}" + (f" ({e.reason})" if e.reason else "")),),
    "trait": (
        (events.TraitGained, "trait", lambda e: f"gained {e.trait}"),
        (events.TraitLost, "trait", lambda e: f"lost {e.trait}"),
    ),
    "gear": (
        (events.GearGained, "item", lambda e: f"got {e.count} × {e.item}"),
        (events.GearLost, "item", lambda e: f"lost {e.count} × {e.item}"),
    ),
    "condition": (
        (events.ConditionBegan, "condition", lambda e: f"{e.condition} began"),
        (events.ConditionEnded, "condition", lambda e: f"{e.condition} ended"),
    ),
    "pool": (
        (events.PoolGained, "pool", lambda e: f"+{e.amount}" + (f" ({e.reason})" if e.reason else "")),
        (events.PoolSpent, "pool", lambda e: f"−{e.amount}" + (f" ({e.reason})" if e.reason else "")),
        (events.PoolBecame, "pool", lambda e: f"became {e.amount}" + (f" ({e.reason})" if e.reason else "")),
    ),
    "usage": ((events.PowerUsed, "power", lambda e: f"used {e.power}"),),
    "chosen": ((events.ChoiceMade, "choice", lambda e: f"chose {e.picked}"),),
    "level": ((events.LevelGained, "", lambda e: f"{e.levels:+d}"),),
    "experience": (
        (events.ExperienceAwarded, "", lambda e: f"{e.amount:+,}" + (f" ({e.reason})" if e.reason else "")),
    ),
    "lost": (
        (events.DamageTaken, "", lambda e: f"−{e.amount} HP"),
        (events.HitPointsRestored, "", lambda e: f"+{e.amount} HP"),
        (events.HitPointsCorrected, "", lambda e: f"{e.amount:+d} HP, {e.reason}"),
    ),
}
_SETTING = "setting"


def contributions_to_all(history: History, character: str, paths: Iterable[str]) -> dict[str, list[Contribution]]:
    """The actions that count and that changed these parts of a character, oldest first, by the parts' paths."""
    found: dict[str, list[Contribution]] = {path: [] for path in paths}
    wanted = [
        (found[path], cls, field, name, tell)
        for path in found
        for kind, _, name in (path.partition("."),)
        for cls, field, tell in _MADE_BY.get(kind, ())
    ]
    house_rules = next((path for path in found if path.partition(".")[0] == _SETTING), "")
    for done, event in _effective(history):
        if house_rules and isinstance(event, events.RulesetAdopted):
            found[house_rules].append(attrs.evolve(done, what=f"plays by {event.ruleset} {event.version}"))
        for behind, cls, field, name, tell in wanted:
            if (
                event.__class__ is cls
                and subject_of(event) == character
                and (not field or getattr(event, field) == name)
            ):
                behind.append(attrs.evolve(done, what=tell(event)))
    for path in found:
        if path.partition(".")[0] == _SETTING:
            found[path] = found[house_rules]
    return found


def origins_of(
    history: History, shown: Sheet, number: Value, until: ActionNumber
) -> list[tuple[Term, list[Contribution]]]:
    """Each term of a number on a sheet, with the actions played up to ``until`` that made it what it is, oldest first."""
    is_played = history.is_played_by(until)
    found = contributions_to_all(history, shown.character, {term.path for term in number.terms if term.path})
    return [(term, [one for one in found.get(term.path, ()) if is_played(one.action)]) for term in number.terms]


def _effective(history: History) -> Iterator[tuple[Contribution, Event]]:
    """Yield every event that counts, with its action as a contribution whose ``what`` is still empty."""
    session = 0
    for action, entry in history.outcomes():
        if entry is not None and entry.is_outcome:
            session = opened_session(entry.events) or session
            done = Contribution(action, entry.intent.verb, "", session, history.seat_of(action))
            for event in entry.events:
                yield done, event


MOST = 40
"""Most corrections that are looked at, the latest ones."""


@attrs.frozen(kw_only=True)
class PutAway(Record):
    """A correction that changed a number from ``before`` to ``after``, and the ``terms`` that it removed.

    ``entry`` is the first entry of the correction and ``action`` what that entry corrected; ``seat`` did it, for a ``reason``.
    """

    entry: EntryNumber
    action: ActionNumber
    seat: SeatName
    reason: str
    before: str
    after: str
    terms: tuple[Term, ...]


def put_away(
    history: History, rulebook: Rulebook, who: CharacterId, key: str, until: EntryNumber
) -> tuple[PutAway, ...]:
    """The corrections up to an entry that changed a number of a character, the latest first."""
    found = (_by(history, rulebook, who, key, made) for made in islice(_corrections(history, until), MOST))
    return tuple(each for each in found if each is not None)


def _corrections(history: History, until: EntryNumber) -> Iterator[tuple[RecordedEntry, EntryNumber]]:
    """The corrections, newest first: the first entry of each, and the number of its last."""
    seen: set[str] = set()
    for entry in history.corrections_backwards():
        if entry.correction in seen or entry.number > until:
            continue
        together = history.correction(entry.correction) if entry.correction else ()
        if entry.correction:
            seen.add(entry.correction)
        first, last = (together[0], together[-1]) if together else (entry, entry)
        if last.number <= until:
            yield first, last.number


def _by(
    history: History, rulebook: Rulebook, who: CharacterId, key: str, made: tuple[RecordedEntry, EntryNumber]
) -> PutAway | None:
    first, last = made
    before = _number(history, rulebook, who, key, first.number - 1)
    after = _number(history, rulebook, who, key, last)
    if before is None or after is None or before == after:
        return None
    return PutAway(
        entry=first.number,
        action=first.action,
        seat=first.seat,
        reason=first.reason,
        before=str(before),
        after=str(after),
        terms=tuple(term for term in before.terms if term not in after.terms),
    )


def _number(history: History, rulebook: Rulebook, who: CharacterId, key: str, entry: EntryNumber) -> Value | None:
    state = history.as_known_at(entry)
    character = state.characters.get(who)
    return rulebook.sheet(character, state).value(key) if character is not None else None
