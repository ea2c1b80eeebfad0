"""Places: squares of five feet, sides, and how far apart two are (R5.50, R5.51, R5.56, R5.67).

On record: ``Moved`` in squares; who was never placed has no square, and who stands on 0,0 has a trait of the kind
"square". Without squares a table says distances (``--distance``), and nobody is near by itself. A side is a trait of
the kind "side".
"""

import math
from collections.abc import Callable, Iterable, Iterator

from rollbook.kit import require, sides, squares
from rollbook.plugin import Action, CampaignState, Character, Handle, HandleKind, Square, Table, Term, param
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.lasting import effects_on, specials
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

FEET = 5
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
SIZE = "size"


def foes_of(campaign: CampaignState, who: Character) -> tuple[str, ...]:
    """The ids of the enemies of somebody who still stand, in the fight or else in play."""
    fight = campaign.encounter
    there = (campaign.characters[name] for name in (fight.order if fight is not None else campaign.characters))
    return tuple(each.id for each in there if each.present and not each.has("dead") and sides.are_enemies(who, each))


EVERYBODY = ("party",)
"""The word for all player characters."""


def party(table: Table, named: Iterable[str] = EVERYBODY) -> list[Character]:
    """Those who are named, or all player characters in play who live. Refused for the dead, and if there is nobody."""
    here = [who for who in table.player_characters() if who.present and not who.has("dead")]
    found = here if tuple(named) == EVERYBODY else [require.living(table, name) for name in named]
    if not found:
        table.refuse("There is nobody in the party. Name the characters instead.", "who")
    return found


def distance(one: Character, other: Character) -> int | None:
    """The feet between two, None without squares; beside each other is 5 (R5.51)."""
    if not (squares.was_placed(one) and squares.was_placed(other)):
        return None
    return apart(one.position, other.position)


def apart(one: Square, other: Square) -> int:
    """The feet between two squares: each costs 5, slanted or not (R5.50, R5.51)."""
    return FEET * squares.distance(one, other)


def size_of(who: Character) -> str:
    """The size of a character: a trait of the kind "size", the stat block's, or medium; spells change it (R5.56)."""
    block, said = block_of(who), who.traits_of(SIZE)
    size = said[-1] if said else block.size[0] if block is not None else "medium"
    for change in (held.effect for held in effects_on(who, "size")):
        number = SIZES.index(change.becomes if change.becomes in SIZES else size) + change.by
        size = SIZES[min(max(number, 0), len(SIZES) - 1)]
    return size


def size_number(who: Character) -> int:
    """The size as a number, 0 for tiny."""
    return SIZES.index(size_of(who))


def may_share(who: Character, other: Character) -> bool:
    """True for who may stand in another's space: elementals of air and water, and swarms, to whom others may come too."""
    return bool(specials(who, "enters spaces") or specials(who, "swarm") or specials(other, "swarm"))


CARRIES = (7.5, 15, 15, 30, 60, 120)
"""Pounds for each point of Strength, from tiny to gargantuan; twice as much is dragged or lifted (R5.116)."""


def carrying_terms(who: Character) -> tuple[Term, ...]:
    """The pounds that a character carries (R5.116)."""
    larger = sum(held.effect.numbers["size"] for held in specials(who, "carries"))
    pounds = int(abilities.score(who, "str") * CARRIES[min(size_number(who) + larger, len(CARRIES) - 1)])
    return (Term(pounds, f"STR, {size_of(who)}", "R5.116", "stat.str"),)


def fighting(table: Table) -> Iterator[Character]:
    """The characters in the fight who are in play, or outside one all in play."""
    if table.encounter is None:
        yield from table.characters()
        return
    yield from (who for who in map(table.character, table.encounter.order) if who.present)


def near(table: Table, who: Character, feet: int) -> Iterator[Character]:
    """The others who stand within so many feet, as far as the squares say."""
    if not squares.was_placed(who):
        return
    for other in fighting(table):
        apart = distance(who, other) if other.id != who.id else None
        if apart is not None and apart <= feet:
            yield other


def check_beside(table: Table, who: Character, other: Character, parameter: str) -> None:
    """Refuse somebody who is not within 5 feet, as far as squares say."""
    feet = distance(who, other) or 0
    if feet > FEET:
        table.refuse(f"{other.name} is {feet} feet away from {who.name}, and this reaches {FEET}.", parameter)


def pushed(origin: Square, square: Square, feet: int) -> Square:
    """The square straight away from an origin, or toward it where the feet are below 0."""
    steps = abs(feet) // FEET * (1 if feet > 0 else -1)
    apart = squares.between(origin, square)
    length = max(abs(each) for each in apart)
    if not length:
        return square
    steps = max(steps, 1 - length)
    east, north, up = (at + math.floor(each * steps / length + 0.5) for at, each in zip(square, apart, strict=True))
    return east, north, up


ON_PLACED: list[Callable[[Table, str], object]] = []
"""Consequences for who was moved by something else than their own legs: functions of table and id."""


def displace(table: Table, name: str, square: Square) -> None:
    """Put a character on another square, out of whatever grip holds them on this one."""
    squares.put(table, name, square)
    for follow in ON_PLACED:
        follow(table, name)


class Place(Action, verb="place", gm_only=True):
    """Put a character on a square of the map."""

    sentence = "puts {who} on {at:square}|puts {who} on a square"
    handles = (Handle(kind=HandleKind.PLACE, who="who", at=("at",)),)

    who: str = param.character("who is put somewhere")
    at: tuple[str, ...] = param.names("the square, east and north as in 3,4")

    def resolve(self, table: Table) -> None:
        displace(table, table.character(self.who).id, squares.parse(table, self.at))
