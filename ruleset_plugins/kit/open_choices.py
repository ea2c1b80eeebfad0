"""Open choices: what a character has still to decide, and what may be picked."""

from __future__ import annotations

from collections.abc import Iterable

from domain import events
from domain.errors import not_found
from domain.state import Character
from domain.table import Table


def named(keys: Iterable[str]) -> tuple[events.Option, ...]:
    """Options whose keys say all there is to say."""
    return tuple(events.Option(key=key) for key in keys)


def options_of(table: Table, who: Character, choice: str) -> tuple[str, ...]:
    """What an open choice offers. Refused for a choice that is not open, with those that are."""
    if choice not in who.choices:
        open_choices = ", ".join(who.choices) or "none"
        table.refuse(f"{who.name} has no open choice called {choice!r}. Open: {open_choices}.")
    return who.choices[choice].keys


def check_option(table: Table, who: Character, choice: str, picked: str) -> None:
    """Raise NotFound, with what comes near, for what an open choice does not offer."""
    options = options_of(table, who, choice)
    if picked not in options:
        raise not_found(f"option of {choice}", picked, options)


def choose(table: Table, who: Character, choice: str, picked: str) -> None:
    """An open choice is made. Refused for one that is not open; raises NotFound for what it does not offer."""
    check_option(table, who, choice, picked)
    table.record(events.ChoiceMade(character=who.id, choice=choice, picked=picked))
