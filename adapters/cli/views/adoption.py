"""Everybody's sheet by the old game above the same sheet by the new one, value for value by what it means."""

from collections.abc import Callable, Iterator, Sequence

import attrs
from rich.text import Text

from adapters.campaign import Trial
from adapters.cli.context import CliContext
from adapters.cli.views.table import print_table
from adapters.wording import printable, shorten
from domain.counted import counted
from domain.crossing import ABILITIES, Passport, set_aside
from domain.identifiers import CharacterId
from domain.lookup import shown_name
from domain.records import Record
from domain.rulebook import Rulebook
from domain.sheet import Sheet
from domain.state import CampaignState

NONE = "–"
"""What stands where a game has no such value."""

RIGHT = tuple(range(1, 13))
Moment = tuple[Sheet, Passport]


@attrs.frozen
class Conversion(Record):
    """Somebody by the old rules and by the new ones; ``waits`` is what only the old game knows."""

    id: CharacterId
    name: str
    before: Moment | None
    after: Moment | None
    waits: tuple[str, ...]


def moment_of(rulebook: Rulebook, name: str, state: CampaignState) -> Moment | None:
    """A sheet with its passport; nothing without rules that have both."""
    game = rulebook.ruleset_of(state)
    if game is None or game.crossing is None or name not in state.characters:
        return None
    who = state.characters[name]
    return rulebook.sheet(who, state), game.crossing.describe(who, state)


def conversions(rulebook: Rulebook, before: CampaignState, after: CampaignState) -> list[Conversion]:
    """Everybody by both games, with what is set aside on the way from the one to the other."""
    old, new = (rulebook.ruleset_of(state) for state in (before, after))
    doors = (old.crossing, new.crossing) if old and new else (None, None)
    return [
        Conversion(
            name,
            shown_name(who, before.characters.values()),
            moment_of(rulebook, name, before),
            moment_of(rulebook, name, after),
            set_aside(who, doors[0], doors[1]) if doors[0] and doors[1] else (),
        )
        for name, who in before.characters.items()
    ]


def show_conversion_table(cli: CliContext, found: Sequence[Conversion], new: str) -> None:
    """Two rows for everybody, the old game above the new."""
    heads = ("", *(title for title, _ in COLUMNS))
    print_table(cli, heads, [row for one in found for row in _rows(one, new)], right=RIGHT)


def show_conversions(cli: CliContext, trial: Trial, found: Sequence[Conversion], *, everything: bool) -> None:
    """A table of everybody, and below it how much is set aside."""
    old, new = trial.before.ruleset or "no ruleset", trial.after.ruleset
    cli.print(Text(f"From {old} to {new}", style="bold yellow"))
    if not found:
        cli.print("  Nobody has a sheet yet.")
        return
    show_conversion_table(cli, found, new)
    for one in found if everything else ():
        if one.waits:
            cli.print(Text(f"{printable(one.name)} sets aside: {printable(', '.join(one.waits))}", style="dim"))
    waiting = sum(len(one.waits) for one in found)
    if waiting and not everything:
        things = counted(waiting, "thing")
        cli.print(Text(f"Set aside for the way back: {things} that only {old} knows; --all lists them.", style="dim"))


def _rows(one: Conversion, new: str) -> Iterator[tuple[Text, ...]]:
    name = Text(shorten(one.name, 16), style="magenta")
    before, after = _cells(one.before), _cells(one.after)
    yield name, *(Text(cell, style="dim") for cell in before)
    yield (
        Text(f"  {new}"),
        *(Text(now, style="" if was == now else "bold") for was, now in zip(before, after, strict=True)),
    )


def _cells(moment: Moment | None) -> list[str]:
    return [NONE] * len(COLUMNS) if moment is None else [cell(*moment) for _, cell in COLUMNS]


def _shown(key: str) -> Callable[[Sheet, Passport], str]:
    """A value as the sheet writes it, without the words that the heading says."""

    def cell(sheet: Sheet, _: Passport) -> str:
        found = next((value for value in sheet.values if value.key == key), None)
        return NONE if found is None else str(found).replace(" of ", "/")

    return cell


def _modifier(ability: str) -> Callable[[Sheet, Passport], str]:
    def cell(_: Sheet, passport: Passport) -> str:
        return f"{passport.modifiers[ability]:+d}" if ability in passport.modifiers else NONE

    return cell


COLUMNS: tuple[tuple[str, Callable[[Sheet, Passport], str]], ...] = (
    ("HP", _shown("hp")),
    ("AC", _shown("ac")),
    ("Lv", _shown("level")),
    *((ability.upper(), _modifier(ability)) for ability in ABILITIES),
    ("Hit", lambda _, passport: f"{passport.attack:+d}"),
    ("Feet", lambda _, passport: str(passport.speed)),
    ("Luck", lambda _, passport: str(passport.luck)),
)
"""What every game knows, under its heading."""
