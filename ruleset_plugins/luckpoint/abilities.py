"""The six abilities and the special abilities (R1.1, R1.34, R1.35, R1.53–R1.57)."""

from rollbook.kit import ability_scores, data, random_tables
from rollbook.plugin import Character, Term

ABILITY_USES = {
    "str": "brawn: lift, carry, throw, strike hand to hand",
    "dex": "quickness and a steady hand: dodge, aim, light weapons",
    "con": "health and stamina, against sickness too",
    "int": "memory, logic, sharp wits",
    "wis": "the senses, empathy, judgement",
    "cha": "presence: charm, lead, perform, persuade",
}
"""What each ability is for (R1.35)."""


class ModifierBand(random_tables.Band):
    """Modifiers from ``lowest`` to ``highest``, and the ``word`` for them."""

    word: str


BANDS = random_tables.load(__package__, "modifiers.json", ModifierBand)


def modifier(who: Character, ability: str) -> int:
    """An ability's modifier; 0 for anybody whose sheet does not say."""
    return who.stats.get(ability, 0)


def word(amount: int) -> str:
    """How good such a modifier is, in a word (R1.34)."""
    return random_tables.row_for(BANDS, amount).word


def ability_term(who: Character, ability: str) -> Term:
    """An ability's modifier, as a summand that says where it comes from."""
    return ability_scores.modifier_term(ability, modifier(who, ability), "R1.35")


def better(who: Character, abilities: tuple[str, ...]) -> str:
    """Of several abilities the one with the higher modifier; the first that is named if they are level."""
    return max(abilities, key=lambda ability: modifier(who, ability))


SPECIAL = "special"
"""The kind of trait that a special ability is."""


class SpecialAbility(data.Row):
    """A row of the list; what is 0 stays as it is for everybody. ``metres`` are walked, ``sight`` is seen in the dark."""

    name: str
    words: str
    rule: str
    metres: int = 0
    luck_per_hour: int = 0
    luck_cap: int = 0
    armour_class: int = 0
    sight: int = 0

    @property
    def path(self) -> str:
        """Where it is on a character."""
        return f"trait.{self.key}"


SPECIALS = data.by_key(__package__, "special_abilities.json", SpecialAbility)


def special_abilities_of(who: Character) -> tuple[SpecialAbility, ...]:
    """The special abilities of a character."""
    return tuple(SPECIALS[trait] for trait in who.traits if trait in SPECIALS)
