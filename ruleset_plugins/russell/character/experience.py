"""Experience: the thresholds of levels, and awards for treasure and foes (R3.45–R3.47).

Treasure counts once it is brought home (Q3.1, Q3.45, Q3.58).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from rollbook.kit import conditions, data, levels, vocabulary
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.russell.character.stat_line import hit_dice
from rollbook.rulesets.russell.party_members import players
from rollbook.rulesets.russell.settings import house
from rollbook.rulesets.russell.wealth.treasure import in_copper, is_treasure, worth

EACH_FURTHER_LEVEL, FARTHEST = 5_000, 1_000
"""Points for each level past the table (R3.47), and the highest level that is counted."""

LEVELS = data.load(__package__, "levels.json", levels.Threshold)
LAST_DIE = LEVELS[-1].level
"""The last level that rolls a hit die."""


@lru_cache(maxsize=1024)
def experience_for(level: int) -> int:
    """The points that a level takes, 0 for level 0."""
    if level <= 0:
        return 0
    if level <= LAST_DIE:
        return LEVELS[level - 1].experience
    return LEVELS[-1].experience + (level - LAST_DIE) * EACH_FURTHER_LEVEL


def level_for(experience: int) -> int:
    """The level that this much experience reaches; at least 1, because all characters begin there (Q3.2)."""
    if experience >= LEVELS[-1].experience:
        return min(LAST_DIE + (experience - LEVELS[-1].experience) // EACH_FURTHER_LEVEL, FARTHEST)
    return levels.reached(LEVELS, experience)


PER_HIT_DIE, COUNTED = 25, "experience"
"""Points for each hit die of a slain foe (R3.46), and the kind of the trait of one who has been counted."""

ALL = 10**9
"""More of a thing than a character can have."""

AT_HOME = "copper at home"
"""The pool of treasure that a character has brought home, in copper."""


def award(table: Table, name: str, amount: int, reason: str) -> None:
    """Experience, if there is any."""
    if amount > 0:
        table.record(events.ExperienceAwarded(character=name, amount=amount, reason=reason))


class BringHome(Action, verb="bring-home", gm_only=True):
    """Treasure is back in safety: it is put away, and is worth experience now, one point a silver (R3.45, Q3.58)."""

    sentence = "has {who:the} bring treasure home"

    who: tuple[str, ...] = param.characters("who brought it: names, or party for every player character")
    bearers: tuple[str, ...] = param.characters("who else carries some of it: hirelings, mules", default=())
    shares: tuple[str, ...] = param.names(
        "how it is shared among those who earn, as 2,1,1; left out, evenly", default=()
    )
    value: int = param.number(
        "further treasure that is on nobody's sheet, in silver", default=0, minimum=0, maximum=10**9
    )
    keep: Mapping[str, int] = param.amounts(
        "what does not count because they had it before: a thing, or some of it, as gold=100",
        default={},
        alone=ALL,
        of=vocabulary.THING,
    )
    reason: str = param.words("from where", default="treasure")

    def resolve(self, table: Table) -> None:
        named = players(table, self.who)
        parts = self._parts(table, named)
        for item, count in self.keep.items():
            if not 0 <= count <= ALL:
                table.refuse(f"What is kept is written gold, for all of it, or gold=100; not '{item}={count}'.", "keep")
        copper = self.value * in_copper("silver", house(table))
        copper += sum(self._put_away(table, name) for name in dict.fromkeys((*named, *self.bearers)))
        points = copper // in_copper(house(table).xp_per_coin, house(table))
        if not points:
            table.refuse("Nothing was brought home that is worth experience. Name it with --value, in silver.", "value")
        for name, part in zip(named, parts, strict=True):
            award(table, name, points * part // sum(parts), self.reason)

    def _parts(self, table: Table, named: Sequence[str]) -> list[int]:
        if not self.shares:
            return [1] * len(named)
        if len(self.shares) != len(named) or not all(part.isdecimal() and len(part) < 5 for part in self.shares):
            table.refuse(
                f"Shares are one number for each of {', '.join(named)}, as in {','.join('1' * len(named))}.", "shares"
            )
        parts = [int(part) for part in self.shares]
        if not sum(parts):
            table.refuse("Somebody must have a share.", "shares")
        return parts

    def _put_away(self, table: Table, name: str) -> int:
        """Put away the treasure that a character carries beyond what is kept. Returns its worth in copper."""
        settings, total = house(table), 0
        for item, held in tuple(table.character(name).gear.items()):
            count = held.count - self.keep.get(item, 0)
            if count > 0 and is_treasure(item, held.use, settings):
                total += count * worth(item, held.use, settings)
                table.record(events.GearLost(character=name, item=item, count=count))
        if total:
            table.record(events.PoolGained(holder=name, pool=AT_HOME, amount=total, reason=self.reason))
        return total


class AwardKills(Action, verb="award-kills", gm_only=True):
    """Experience for slain foes: 25 for each hit die, shared out (R3.46, Q3.45)."""

    sentence = "awards experience for {foes}"

    foes: tuple[str, ...] = param.characters("who was slain")
    who: tuple[str, ...] = param.characters(
        "who took part: names, or party for every player character", default=("party",)
    )
    extra: int = param.number("points that they were worth in addition", default=0, minimum=0, maximum=10**9)
    avoided: bool = param.flag(
        "they were got round or won over and not slain, where the table counts that (avoided_xp)"
    )

    def resolve(self, table: Table) -> None:
        named = players(table, self.who)
        foes = [table.character(name) for name in dict.fromkeys(self.foes)]
        for foe in foes:
            self._check(table, foe)
        points = PER_HIT_DIE * sum(hit_dice(foe) for foe in foes) + self.extra
        each = points if house(table).kill_xp == "each" else points // len(named)
        for foe in foes:
            table.record(events.TraitGained(character=foe.id, trait="experience counted", kind=COUNTED))
        for name in named:
            award(table, name, each, f"{'got past' if self.avoided else 'slew'} {', '.join(foe.name for foe in foes)}")

    def _check(self, table: Table, foe: Character) -> None:
        if self.avoided and not house(table).avoided_xp:
            table.refuse(
                "At this table a foe who was only avoided is worth no experience. The GM changes that with: house-rules "
                "avoided_xp=yes",
                "avoided",
            )
        if not self.avoided and not foe.has(conditions.DEAD):
            table.refuse(
                f"{foe.name} is not dead, and a foe who was only avoided is worth no experience, unless the table plays "
                f"otherwise: --avoided",
                "foes",
            )
        if foe.traits_of(COUNTED):
            table.refuse(f"{foe.name} has been counted for experience already.", "foes")


QUEST = "quest"
"""The kind of the trait of a quest that a character has fulfilled and was awarded for."""


class Fulfil(Action, verb="fulfil", gm_only=True):
    """A quest is fulfilled or an objective met: experience for those who did it, once for each quest."""

    sentence = "awards experience for a quest: {quest}"

    quest: str = param.label("what was fulfilled, in a few words", of=vocabulary.QUEST)
    points: int = param.number("the points of experience for each", minimum=1, maximum=10**9)
    who: tuple[str, ...] = param.characters(
        "who did it: names, or party for every player character", default=("party",)
    )
    split: bool = param.flag("the points are shared evenly instead of had by each")

    def resolve(self, table: Table) -> None:
        named = players(table, self.who)
        for name in named:
            who = table.character(name)
            if self.quest in who.traits_of(QUEST):
                table.refuse(f"{who.name} has been awarded for {self.quest!r} already.", "quest")
        points = self.points // len(named) if self.split else self.points
        for name in named:
            table.record(events.TraitGained(character=name, trait=self.quest, kind=QUEST))
            award(table, name, points, self.quest)
