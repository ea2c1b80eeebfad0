"""Crossing from one ruleset to another: characters in words that every game knows.

Everything that only the old game understands is set aside on the character and comes back when the campaign returns to
it. A ``Passport`` crosses: the old game writes it, the new game reads it. A level of one game is a level of another: so
a character arrives at the level that they have, with the points that it takes there.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import CampaignState, Character

if TYPE_CHECKING:
    from rollbook.domain.rules.table import Table


LEVEL = 1_000_000_000
"""Parts of a level in which progress is counted."""


@attrs.frozen(kw_only=True)
class Levels(Record):
    """A game's table of experience: ``experience_for`` is what a level from 1 to the ``highest`` at this table takes."""

    experience_for: Callable[[int, CampaignState], int]
    highest: Callable[[CampaignState], int]

    def level_at(self, experience: int, campaign: CampaignState) -> int:
        """The level that so much experience reaches, at least 1."""
        every = range(1, self.highest(campaign) + 1)
        return max(bisect_right(every, experience, key=lambda level: self.experience_for(level, campaign)), 1)

    def progress(self, experience: int, campaign: CampaignState) -> int:
        """The progress that so much experience makes: the level and the share of the next one, in parts of a level."""
        level = self.level_at(experience, campaign)
        begun = experience - self.experience_for(level, campaign)
        return level * LEVEL + begun * LEVEL // self._step(level, campaign)

    def experience_at(self, progress: int, campaign: CampaignState) -> int:
        """The least experience that makes so much progress."""
        level = min(max(progress // LEVEL, 1), self.highest(campaign))
        begun = (progress - level * LEVEL) * self._step(level, campaign)
        return self.experience_for(level, campaign) - -begun // LEVEL

    def _step(self, level: int, campaign: CampaignState) -> int:
        """The points from a level to the next; past the highest it goes on as before it."""
        last = min(level, max(self.highest(campaign) - 1, 1))
        return max(self.experience_for(last + 1, campaign) - self.experience_for(last, campaign), 1)


ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
"""The six abilities, in the order in which most games list them."""

MEANINGS = ("unconscious", "dead", "prone", "stunned", "helpless", "bleeding", "stable", "weary", "poisoned", "hidden")
"""The conditions that cross, each under the word that says what it means."""

ARMOURS = ("none", "light", "medium", "heavy")
WEAPONS = ("light", "medium", "heavy", "ranged")
UNARMED = "unarmed"
"""The meaning of bare hands, where a game has a word for them."""


@attrs.frozen(kw_only=True)
class Passport(Record):
    """A character, in no game's own terms.

    ``modifiers`` are what abilities add to a roll (scores do not cross). ``armour_class`` is ascending and the whole of it, 10
    for an ordinary person without armour; ``is_entered`` says that it was written down as a number (a monster's) instead of
    following from what is worn. ``armour`` is one of ``ARMOURS``; ``worn`` is the thing's name. ``weapons`` are the things held,
    each with one of ``WEAPONS``. ``attack`` is the best bonus to hit, ``speed`` feet a round. ``luck`` counts tokens or
    luck points. ``conditions`` are among ``MEANINGS``. ``dies_at`` is the number of hit points at which death comes, below 0;
    0 where hit points stop at 0.
    """

    max_hp: int
    dies_at: int = 0
    level: int = 0
    modifiers: Mapping[str, int] = attrs.field(factory=dict)
    armour_class: int = 10
    is_entered: bool = False
    armour: str = "none"
    worn: str = ""
    shield: str = ""
    weapons: Mapping[str, str] = attrs.field(factory=dict)
    attack: int = 0
    speed: int = 30
    luck: int = 0
    conditions: tuple[str, ...] = ()


Describe: TypeAlias = Callable[[Character, CampaignState], Passport]
Arrive: TypeAlias = Callable[["Table", CharacterId, Passport], None]
SetModifier: TypeAlias = Callable[["Table", CharacterId, str, int], None]


@attrs.frozen(kw_only=True, eq=False)
class Crossing:
    """A game's rules for characters who leave and arrive.

    ``describe`` writes a character's passport. ``set_modifier`` records what gives an ability this modifier (a score's change,
    say). ``arrive`` gives a newcomer, whose abilities are set, the rest of a sheet: the level that the experience comes to, the
    maximum of hit points, and what worn and held things count as (``GearGained`` of 0 with a ``use``; nobody comes into new
    things). It rolls no dice and leaves open as choices what only a player can decide. Afterwards the engine converts wounds by
    proportion, luck up to ``luck_cap`` into the pool ``luck``, and conditions: ``conditions`` says what each of ``MEANINGS`` is
    called here; what is not listed has no counterpart. The dead stay dead if "dead" is listed. ``levels`` is the game's table
    of experience, if it has one: a newcomer has the experience of the level that they had, or of the highest one here, before
    ``arrive`` is asked. ``weapons`` is the word to strike with here for each of ``WEAPONS`` and ``UNARMED``; ``weapon_words``
    says what every such word means.
    """

    describe: Describe
    arrive: Arrive
    set_modifier: SetModifier
    luck: str = ""
    luck_cap: Callable[[Character, CampaignState], int] = lambda _who, _campaign: 0
    conditions: Mapping[str, str] = attrs.field(factory=dict)
    weapons: Mapping[str, str] = attrs.field(factory=dict)
    weapon_words: Mapping[str, str] = attrs.field(factory=dict)
    levels: Levels | None = None


def hit_points_left(old: Passport, lost: int, new: Passport) -> int:
    """The hit points left in the new game, in proportion to what was left in the old one after ``lost``.

    A conscious character has at least 1; an unconscious one has 0 or fewer, as near to death as before but not beyond it.
    """
    left, most = old.max_hp - lost, max(old.max_hp, 1)
    if left > 0:
        return max(1, left * new.max_hp // most)
    depth, bottom = min(-left, -old.dies_at), -new.dies_at
    if not depth or not bottom:
        return 0
    sunk = depth * bottom // -old.dies_at
    return -bottom if "dead" in old.conditions and "dead" in new.conditions else -min(sunk, bottom - 1)


def set_aside(who: Character, old: Crossing, new: Crossing) -> tuple[str, ...]:
    """The parts of a character without a counterpart in the new game, in words: they are kept for the way back."""
    meant = {own: meaning for meaning, own in old.conditions.items()}
    pools = [f"{pool} {amount}" for pool, amount in who.pools.items() if amount and (pool != old.luck or not new.luck)]
    conditions = [name for name in who.conditions if meant.get(name) not in new.conditions]
    numbers = [f"{stat} {amount}" for stat, amount in who.stats.items() if amount and stat not in ABILITIES]
    choices = [f"{choice} (to be chosen)" for choice in who.choices]
    return (*who.traits, *conditions, *pools, *numbers, *choices)
