"""Sentences about actions: the words that a verb gives, filled with the parameters of an entry.

Everything is read from the entry and from the names that its reader knows, so a sentence says nothing that is not in the entry.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from rollbook.domain import events
from rollbook.domain.dice.record import IMPORTED
from rollbook.domain.entries import Entry
from rollbook.domain.rules.sentences import NOBODY_ACTS, third_person, with_article
from rollbook.projections.phrases import key, people, plural

Names = Mapping[str, str]

NOBODY = "Somebody"
"""Subject of an action that names no one: an X-card has no seat, and other programs do not always give one."""
THE_GM = "The GM"
"""Subject of an action without a seat."""
_SLOT = re.compile(r"{([A-Za-z0-9_]+)(?::([a-z]+))?}")
_PART = re.compile(r"\[([^\]]*)\]|([^\[]+)")
_BLANKS = re.compile("[ \t\n\v\f\r\x85\u2028\u2029]+")
_BARE = frozenset(("natural", "unarmed"))
"""Means of attack that are not held in a hand."""
_ROLL = re.compile(r" (?:roll|check|save|saving throw)\b")


def subject_of(event: events.Event) -> str:
    """The id of the character, or of the holder of a pool, that an event is about; "" if none."""
    return str(getattr(event, "character", "") or getattr(event, "holder", ""))


class Act(NamedTuple):
    """Subject and predicate of a sentence: "Fenna", "attacks Wolf 2"."""

    who: str
    what: str


class _Piece(NamedTuple):
    """A part of a sentence, with its slots; an ``optional`` one is left out if one of its slots is empty."""

    text: str
    slots: tuple[tuple[str, str], ...]
    optional: bool


@lru_cache(maxsize=1_024)
def _readings(words: str) -> tuple[tuple[_Piece, ...], ...]:
    return tuple(
        tuple(
            _Piece(found[1] or found[2] or "", tuple(_SLOT.findall(found[1] or found[2] or "")), found[1] is not None)
            for found in _PART.finditer(reading)
        )
        for reading in words.split("|")
    )


def act_of(entry: Entry, names: Names, words: str) -> Act:
    """The subject and predicate of an entry, in the ``words`` that the verb gives."""
    check = own_check(entry)
    slots = _slots(entry, check)
    doer = _doer(entry, names, is_the_actor=not words.startswith(NOBODY_ACTS))
    for reading in _readings(words.removeprefix(NOBODY_ACTS)):
        said = _filled(reading, slots, names)
        if said is None:
            continue
        if reading and reading[0].text.startswith("{"):
            (name, kind), *_ = reading[0].slots
            who = _said(slots.get(name), kind, slots, names)
            return Act(who, said.removeprefix(who).strip(" "))
        return Act(doer, said + _more(entry, check, said, names))
    return Act(doer, third_person(entry.intent.verb))


def _filled(reading: tuple[_Piece, ...], slots: Mapping[str, object], names: Names) -> str | None:
    """Fill the slots of a reading; None if one of them is empty and not in an optional part."""
    found = ""
    for text, wanted, optional in reading:
        said = {slot: _said(slots.get(slot[0]), slot[1], slots, names) for slot in wanted}
        if all(said.values()):
            found += _SLOT.sub(lambda slot, said=said: said[slot[1], slot[2] or ""], text)  # type: ignore[misc]
        elif not optional:
            return None
    return found.replace(_YES, "").strip(" ")


SQUARE = "square"
"""The form of a slot whose words are one square of a map."""
_YES = "\0"
"""Placeholder for a flag that is on; it is removed from the finished sentence."""


def _slots(entry: Entry, check: events.CheckResolved | None) -> dict[str, object]:
    """The values of slots: parameters, the actor's only ``check`` and its opponent (else the first purpose), the cost."""
    verb = entry.intent.verb
    found: dict[str, object] = {name: value for name, value in entry.intent.params.items() if value != verb}
    if check is not None:
        found["check"] = check.check
        found.setdefault("against", check.against)
    else:
        found["check"] = next((event.purpose for event in entry.events if isinstance(event, events.DiceRolled)), "")
    moved = [event.cost for event in entry.events if isinstance(event, events.Moved) and event.character == entry.actor]
    return found | {"cost": sum(moved)}


def own_check(entry: Entry) -> events.CheckResolved | None:
    """The actor's only check; None if there are several or none."""
    found = [event for event in entry.events if isinstance(event, events.CheckResolved) and is_own(event, entry)]
    return found[0] if len(found) == 1 else None


def is_own(check: events.CheckResolved, entry: Entry) -> bool:
    """True for a check of the actor, or of no particular character."""
    return check.character in ("", entry.actor)


def _doer(entry: Entry, names: Names, *, is_the_actor: bool) -> str:
    """The name of the actor, else of the character whose turn ends, else of the seat."""
    if is_the_actor and entry.actor in names:
        return names[entry.actor]
    first = entry.events[0] if entry.events else None
    if isinstance(first, events.TurnEnded) and first.character in names:
        return names[first.character]
    is_unknown = entry.provenance == IMPORTED or any(isinstance(event, events.XCardRaised) for event in entry.events)
    return entry.seat or (NOBODY if is_unknown else THE_GM)


def _more(entry: Entry, check: events.CheckResolved | None, said: str, names: Names) -> str:
    """The actor's only ``check`` and its opponent, where the sentence does not name them."""
    if check is None or not check.check:
        return ""
    against, folded = names.get(check.against, check.against), said.lower()
    tried = check.check.lower()
    what = "" if tried == entry.intent.verb or tried in folded else check.check
    is_new = against and against.lower() not in folded and check.against != entry.actor
    whom = f"against {against}" if is_new else ""
    return f" ({' '.join(filter(None, (what, whom)))})" if what else whom and f" {whom}"


# The text of a slot.


def _said(value: object, kind: str, slots: Mapping[str, object], names: Names) -> str:
    if kind == "if":
        return _YES if value else ""
    if isinstance(value, bool | Mapping) or value is None:
        return ""
    if isinstance(value, int):
        return _number(value, kind) if value else ""
    if isinstance(value, tuple) and kind == SQUARE:
        return ",".join(_one(each, "", slots, names) for each in value)
    if isinstance(value, tuple):
        return people([_one(each, kind, slots, names) for each in value])
    return _one(value, kind, slots, names)


def _number(value: int, kind: str) -> str:
    number = str(value).replace("-", "−")
    return (
        f"{number} {kind if value == 1 else plural(kind)}" if kind and kind != "key" and kind not in _KINDS else number
    )


def _one(value: object, kind: str, slots: Mapping[str, object], names: Names) -> str:
    text = str(value)
    if text in names:
        return names[text]
    text = _BLANKS.sub(" ", text).strip(" ")
    if kind == "key":
        return key(text, names)
    return _KINDS[kind](text, slots) if kind in _KINDS and text else text


def _the(text: str) -> str:
    if text in _BARE:
        return ""
    return f"the {key(text, {})}" if text[:1] != text[:1].upper() else text


def _many(text: str, slots: Mapping[str, object]) -> str:
    count = slots.get("count")
    return f"{count} × {text}" if isinstance(count, int) and count > 1 else text


_KINDS: Mapping[str, Callable[[str, Mapping[str, object]], str]] = {
    "the": lambda text, _: _the(text),
    "a": lambda text, _: with_article(text) if _ROLL.search(text) else text,
    "quote": lambda text, _: f"“{text}”",
    "many": _many,
}
"""Forms of a slot besides ``{name}``; ``{name:if}`` is a flag that must be on, and adds no text."""
