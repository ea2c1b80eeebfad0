"""A plain second game, so that characters can cross out and back."""

from domain.crossing import ABILITIES, MEANINGS, Crossing, Passport
from domain.events import CharacterId, StatChanged
from domain.plain_sheet import MAX_HP, plain_sheet
from domain.ruleset import Ruleset
from domain.state import CampaignState, Character
from domain.table import Table

LUCK = "luck"
MOST_LUCK = 3


def _describe(who: Character, campaign: CampaignState) -> Passport:  # noqa: ARG001 - what every game takes
    return Passport(
        max_hp=max(who.stats.get(MAX_HP, 1), 1),
        dies_at=-10,
        modifiers={ability: who.stats.get(ability, 0) for ability in ABILITIES},
        luck=max(who.pools.get(LUCK, 0), 0),
        conditions=tuple(meaning for meaning in MEANINGS if who.has(meaning)),
    )


def _arrive(table: Table, name: CharacterId, passport: Passport) -> None:
    wanted = max(passport.max_hp, 1) - table.character(name).stats.get(MAX_HP, 0)
    table.record(StatChanged(character=name, stat=MAX_HP, amount=wanted))


def _set_modifier(table: Table, name: CharacterId, ability: str, modifier: int) -> None:
    change = modifier - table.character(name).stats.get(ability, 0)
    table.record(StatChanged(character=name, stat=ability, amount=change))


NEIGHBOUR = Ruleset(
    key="next-door",
    title="The game next door",
    version="1",
    summary="Hit points, modifiers and a little luck.",
    actions=(),
    sheet=plain_sheet,
    crossing=Crossing(
        describe=_describe,
        arrive=_arrive,
        set_modifier=_set_modifier,
        luck=LUCK,
        luck_cap=lambda *_: MOST_LUCK,
        conditions={meaning: meaning for meaning in MEANINGS},
    ),
)
