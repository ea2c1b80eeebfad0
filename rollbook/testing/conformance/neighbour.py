"""A plain second game, so that characters can cross out and back."""

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.rules.crossing import ABILITIES, MEANINGS, Crossing, Passport
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.sheet import MAX_HP, plain_sheet
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.kit import crossing

LUCK = "luck"
MOST_LUCK = 3
AS_MEANT = {meaning: meaning for meaning in MEANINGS}


def _describe(who: Character, campaign: CampaignState) -> Passport:  # noqa: ARG001 - what every game takes
    return Passport(
        max_hp=max(who.stats.get(MAX_HP, 1), 1),
        dies_at=-10,
        modifiers={ability: who.stats.get(ability, 0) for ability in ABILITIES},
        luck=max(who.pools.get(LUCK, 0), 0),
        conditions=crossing.shared_conditions(who, AS_MEANT),
    )


def _arrive(table: Table, name: CharacterId, passport: Passport) -> None:
    crossing.bring_stat(table, name, MAX_HP, max(passport.max_hp, 1))


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
        set_modifier=crossing.bring_stat,
        luck=LUCK,
        luck_cap=lambda *_: MOST_LUCK,
        conditions=AS_MEANT,
    ),
)
