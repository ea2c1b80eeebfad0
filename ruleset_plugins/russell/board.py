"""The board: the rest of a Round, ranges, light and the time it burns, danger, tired feet and supplies."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import conditions, counters, fields
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece
from rollbook.rulesets.russell.character.stat_line import attacks
from rollbook.rulesets.russell.delve import encumbrance, fire, light, light_sources, lighting, usage_dice
from rollbook.rulesets.russell.delve.encumbrance import round_feet
from rollbook.rulesets.russell.delve.exploration import DANGER, ONGOING
from rollbook.rulesets.russell.delve.lanterns import clipped_lantern
from rollbook.rulesets.russell.fight import movement, turns, wounds
from rollbook.rulesets.russell.fight.arms import STANCES
from rollbook.rulesets.russell.fight.bleeding import FATAL_FAILURES
from rollbook.rulesets.russell.fight.wounds import FLOORED, ROUNDS
from rollbook.rulesets.russell.gear import thing
from rollbook.rulesets.russell.party_members import in_party
from rollbook.rulesets.russell.settings import house

LASTS = {
    **kit.UNTIL_NEXT_ROUND,
    fire.ON_FIRE: f"{fire.A_ROUND} a round",
    **dict.fromkeys((turns.BRACED, *STANCES), "until the next turn"),
}


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R3.52, R3.74–R3.76)."""
    return kit.of_game(
        campaign,
        left=partial(_left, campaign),
        piece=partial(_piece, campaign),
        kept_out=turns.KEPT_OUT,
        seconds=house(campaign).round_seconds,
        lines=_lines(campaign),
        in_order=True,
    )


def _left(campaign: CampaignState, encounter: Encounter, who: Character) -> tuple[str, ...]:
    """One thing, or the attacks of a monster; and the feet of a Round, where a map is used (R3.74, R3.76, Q3.43)."""
    feet = round_feet(who, house(campaign)) - encounter.spent.get(turns.FEET, 0)
    struck = encounter.spent.get(turns.ATTACK, 0)
    strikes = attacks(who) - struck
    if encounter.spent.get(turns.ACTION, 0) > 0 or strikes <= 0:
        deed = ""
    elif who.has(FLOORED):
        deed = "to stand up or defend"
    elif struck:
        deed = kit.counted(strikes, "more attack")
    else:
        deed = "one action" if strikes == 1 else f"one action or {strikes} attacks"
    return tuple(text for text in (deed, f"{feet} ft on a map" if feet > 0 else "") if text)


def _piece(campaign: CampaignState, who: Character) -> Piece:
    tired = encumbrance.pips(who)
    ranges = [each.name for each in conditions.with_data(who, movement.RANGE_TO)]
    lights = [each.name for each in conditions.with_data(who, light_sources.ALIGHT)]
    return Piece(
        where=_where(who, campaign),
        resources=(f"tired {tired} of {encumbrance.MOST_PIPS}",) if tired else (),
        lasts={**LASTS, **dict(_lasts(who))},
        covered=(*ranges, *lights),
    )


def _lasts(who: Character) -> Iterator[tuple[str, str]]:
    for owed in conditions.with_data(who, turns.FREE_ATTACK):
        yield owed.name, "this round"
    if who.pools.get(ROUNDS, 0) > 0:
        yield conditions.STUNNED, kit.counted(who.pools[ROUNDS], "round")
    failures = who.pools.get(wounds.FAILURES, 0)
    yield conditions.BLEEDING, f"{failures} of {FATAL_FAILURES} saves failed" if failures else "a save each round"


def _where(who: Character, campaign: CampaignState) -> str:
    """The foes that a character is nearest to, and the range to them (R3.76)."""
    foes = [foe for foe in kit.fighters(campaign) if in_party(foe) != in_party(who) and not foe.has(conditions.DEAD)]
    if not foes or campaign.encounter is None or who.id not in campaign.encounter.order or who.has(conditions.DEAD):
        return ""
    away = {foe.id: _range(who, foe, campaign) for foe in foes}
    nearest = min(away.values())
    labels = kit.labels(campaign)
    near = [labels[foe.id] for foe in foes if away[foe.id] == nearest]
    named = "all foes" if len(near) == len(foes) > 1 else ", ".join(near)
    return f"{house(campaign).ranges[nearest]} {'to' if nearest else 'with'} {named}"


def _range(one: Character, other: Character, campaign: CampaignState) -> int:
    """The number of bands between two foes: as they have moved, or as the sides began."""
    bands = house(campaign).ranges
    first, second = sorted((one, other), key=lambda who: who.id)
    moved = conditions.with_data(first, movement.RANGE_TO, second.id)
    band = next((fields.text(each.data, "band") for each in moved), "")
    apart = campaign.pools.get(movement.APART, 0)
    return bands.index(band) if band in bands else max(0, min(apart, len(bands) - 1))


def _lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    people = kit.present(campaign)
    labels = kit.labels(campaign)
    lights = [
        _burning(labels[who.id], who, each, held=lighting.in_hand(campaign, who))
        for who in people
        for each in light_sources.burning(who)
    ]
    shade = light.SHADES[max(0, min(campaign.pools.get(light.DARKNESS, 0), len(light.SHADES) - 1))]
    if lights or shade != light.SHADES[0]:
        yield "Light", "; ".join((f"the place is {shade}", *(lights or ("nothing burns",))))
    if campaign.pools.get(DANGER, 0) > 0:
        yield "Danger", "the Exploration Die ends every Turn"
    ongoing = [*_ongoing("", campaign.pools), *(each for who in people for each in _ongoing(labels[who.id], who.pools))]
    yield "Ongoing", "; ".join(ongoing)
    if campaign.encounter is None:
        supplies = (f"{labels[who.id]}: {', '.join(held)}" for who in people if (held := tuple(_held(who))))
        yield "Supplies", "; ".join(supplies)


def _burning(label: str, who: Character, burning: light_sources.Burning, *, held: Sequence[str]) -> str:
    """A light, its bearer or place, and what is left of it (R3.57, R3.69)."""
    lies = burning.item not in held and clipped_lantern(who) != burning.item
    pips = burning.source.pips
    left = kit.counted(pips - light_sources.pips_burnt(who, burning.item) % pips, "pip") if pips else ""
    return (
        f"{burning.item} {'on the ground by' if lies else 'borne by'} {label}{f', {left} of oil left' if left else ''}"
    )


def _ongoing(name: str, pools: Mapping[str, int]) -> Iterator[str]:
    for effect, levels in counters.counted(pools, ONGOING):
        yield f"{effect} {f'on {name} ' if name else ''}({kit.counted(levels, 'level')})"


def _held(who: Character) -> Iterator[str]:
    """The light that is left, rations, and things with a usage die (R3.40, R3.95)."""
    supplies = tuple(usage_dice.supplies(who))
    for item, held in who.gear.items():
        if item in supplies:
            die = usage_dice.sides(who, item)
            yield f"{item} {f'd{die}' if die else 'empty'}"
        elif held.count > 0 and (
            light_sources.source_of(who, item) or thing(item, held.use).row.key in ("ration", "oil")
        ):
            yield f"{item} x {held.count}" if held.count > 1 else item
