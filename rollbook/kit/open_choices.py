"""Open choices: decisions that a character has still to make, their options and their kinds."""

from collections.abc import Callable, Iterable, Mapping
from itertools import count, islice
from types import MappingProxyType

from rollbook.domain.events import Data, Option
from rollbook.plugin import Character, Table, events, not_found, slug

__all__ = ["check_option", "choose", "data_of", "first_of", "offer", "offer_several", "options_of"]

KIND = "kind"
"""The field of a choice's data that says of which kind it is."""

NO_DATA: Data = MappingProxyType({})


def offer(
    table: Table,
    name: str,
    choice: str,
    options: Iterable[str | Option],
    *,
    kind: str = "",
    reason: str = "",
    data: Data = NO_DATA,
) -> None:
    """Record a choice that a character has to make. An option is its key, or an ``Option`` with a label or data.

    ``kind`` says which rule the choice belongs to, where its name alone does not; ``data`` is what that rule needs later.
    """
    offered = tuple(Option(key=option) if isinstance(option, str) else option for option in options)
    stored = {KIND: kind, **data} if kind else dict(data)
    table.record(events.ChoiceOffered(character=name, choice=choice, options=offered, data=stored, reason=reason))


def offer_several(
    table: Table,
    name: str,
    called: str,
    keys: Iterable[str],
    *,
    kind: str = "",
    many: int = 1,
    data: Data = NO_DATA,
    spelled: Callable[[str], str] = slug,
) -> None:
    """Offer a choice so many times, under names that are free: ``CALLED-1`` and so on; nothing without a key to pick.

    ``spelled`` is how the game makes a word of what the choice is called.
    """
    options, who = tuple(dict.fromkeys(keys)), table.character(name)
    names = (f"{spelled(called)}-{place}" for place in count(1))
    free = (each for each in names if each not in who.choices and each not in who.chosen)
    for choice in islice(free, many if options else 0):
        offer(table, name, choice, options, kind=kind, reason=called, data=data)


def kind_of(who: Character, choice: str) -> str:
    """The kind of an open choice: the one it was offered under, or else its own name."""
    return str(data_of(who, choice).get(KIND, choice))


def data_of(who: Character, choice: str) -> Mapping[str, events.Scalar]:
    """The data stored with an open choice when it was offered; empty for one that is not open."""
    return who.choices[choice].data if choice in who.choices else NO_DATA


def first_of(who: Character, kind: str) -> str:
    """The first of a character's open choices of this kind, "" for none."""
    return next((choice for choice in who.choices if kind_of(who, choice) == kind), "")


def options_of(table: Table, who: Character, choice: str) -> tuple[str, ...]:
    """The keys that an open choice offers. Refused for a choice that is not open, with those that are."""
    if choice not in who.choices:
        open_choices = ", ".join(who.choices) or "none"
        table.refuse(
            f"{who.name} has no open choice called {choice!r}. Open: {open_choices}.", table.parameter_of(choice)
        )
    return who.choices[choice].keys


def check_option(table: Table, who: Character, choice: str, picked: str) -> str:
    """The key that was picked. Raises NotFound, with the nearest ones, for a key that an open choice does not offer."""
    options = options_of(table, who, choice)
    if picked not in options:
        raise not_found(f"option of {choice}", picked, options)
    return picked


def choose(table: Table, who: Character, choice: str, picked: str) -> None:
    """Record that an open choice is made. Refused for one that is not open; raises NotFound for a key not offered."""
    check_option(table, who, choice, picked)
    table.record(events.ChoiceMade(character=who.id, choice=choice, picked=picked))
