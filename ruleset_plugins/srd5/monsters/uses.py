"""Uses of the features of a stat block (so many a day, until it recharges), and what foes are worth (R5.137, R5.303–R5.319).

On record: the pool ``used:NAME`` counts what is spent of a feature, ``used:SPELL`` (its key) of a spell that is cast so
many times a day, ``legendary actions`` what is spent of those. A trait of the kind "lair" says that a monster is at
home: ``trait dragon "the black pool" --kind lair``.
"""

from collections.abc import Iterator

from rollbook.kit import catalogues, clock, conditions, counters, require, turn_limits
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Feature
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, features_of

USED, LEGENDARY, TAKEN = "used", "legendary actions", "legendary action taken"
LEGENDARY_RESISTANCE, LAIR, RECHARGE, TURN = "Legendary Resistance", "lair", "recharge", "turn"
LONG_HOURS = 8
WAYS = ("burrow", "climb", "fly", "swim")


def _of_lair(who: Character, usual: int, at_home: int) -> int:
    return at_home if at_home and who.traits_of(LAIR) else usual


def worth(who: Character) -> int:
    """The experience for somebody with a stat block, 0 without one."""
    block = block_of(who)
    return _of_lair(who, block.xp, block.xp_in_lair) if block is not None else 0


def most_of(who: Character, feature: Feature) -> int:
    """The number of uses that a feature has before it must come back, 0 for any number."""
    a_day = _of_lair(who, feature.per_day, feature.per_day_in_lair)
    return a_day or int(bool(feature.recharge) or feature.once == TURN)


def left_of(who: Character, feature: Feature) -> int:
    """The uses that are left of a feature that is limited."""
    return most_of(who, feature) - counters.count(who.pools, USED, feature.name)


def spend(table: Table, who: Character, feature: Feature) -> None:
    """Use a feature once. Refused where no use is left (R5.311)."""
    if not most_of(who, feature):
        return
    pool = counters.counter(USED, feature.name)
    if left_of(who, feature) < 1:
        back = f"on {feature.recharge}" if feature.recharge else "when its own turn begins"
        back = "with a long rest" if feature.per_day else back
        why = f"{who.name} has no use of {feature.name} left; it comes back {back}."
        table.refuse(f"{why} The GM gives one back with: adjust {who.id} 'pool:{pool}' -1 WHY", "what")
    counters.change(table, who.id, pool, 1, feature.name)


def legendary_most(who: Character) -> int:
    """The legendary actions between two turns of a monster (R5.310)."""
    block = block_of(who)
    return _of_lair(who, block.legendary, block.legendary_in_lair) if block is not None else 0


def legendary_left(who: Character) -> int:
    """The legendary actions that are left."""
    return legendary_most(who) - max(who.pools.get(LEGENDARY, 0), 0)


def spend_legendary(table: Table, who: Character) -> None:
    """Use a legendary action: after somebody else's turn, one each time, as many as the stat block has (R5.310).

    The moment after a turn is the beginning of the next one, as nothing happens between the two (Q5.50).
    """
    fight = table.encounter
    if fight is not None and fight.current == who.id:
        table.refuse(f"A legendary action comes after the turn of somebody else, and this is {who.name}'s own.", "who")
    if legendary_left(who) < 1:
        table.refuse(f"{who.name} has no legendary action left; they come back when {who.name}'s turn begins.", "who")
    if fight is not None:
        if who.has(TAKEN):
            table.refuse(f"{who.name} has taken a legendary action since the last turn ended.", "who")
        conditions.begin(table, who.id, TAKEN, data=turn_limits.this_turn(table))
    counters.change(table, who.id, LEGENDARY, 1, "legendary action")


def turn_begins(table: Table, name: str) -> None:
    """Give back what comes back with one's turn: legendary actions, and what a die recharges (R5.310, R5.311)."""
    if legendary_most(table.character(name)):
        counters.empty(table, name, LEGENDARY, "the turn begins")
    for feature in spent_features(table.character(name)):
        low, _, high = feature.recharge.partition("-")
        is_back = feature.once == TURN
        if low.isdecimal():
            is_back = int(low) <= table.roll("1d6", roller=name, purpose=RECHARGE).total <= int(high or low)
        if is_back:
            counters.empty(table, name, counters.counter(USED, feature.name), "the turn begins")


def spent_features(who: Character) -> tuple[Feature, ...]:
    """The limited features of which something is spent."""
    spent = dict(counters.counted(who.pools, USED))
    return tuple(each for each in features_of(who) if each.name in spent and most_of(who, each)) if spent else ()


def time_passed(table: Table, name: str, before: int, rest: bool) -> None:
    """Give back to who rests: all after eight hours, what recharges after one (R5.206, R5.311)."""
    hours, who = (table.clock - before) // clock.HOUR if rest else 0, table.character(name)
    if not hours or block_of(who) is None or not clock.rests(table, who):
        return
    recharging = {each.name for each in spent_features(who) if each.recharge}
    for of, _ in tuple(counters.counted(who.pools, USED)):
        if hours >= LONG_HOURS or of in recharging:
            counters.empty(table, name, counters.counter(USED, of), "rested")


def words(who: Character) -> Iterator[tuple[str, str]]:
    """Yield what the sheet says of a stat block: challenge, senses, speeds, and the uses that are left."""
    block = block_of(who)
    if block is None:
        return
    yield "Challenge", f"{block.cr} ({worth(who)} XP)"
    yield "Senses", ", ".join(f"{sense} {feet} ft" for sense, feet in block.senses.items())
    yield "Speeds", ", ".join(f"{way} {getattr(block.speed, way)} ft" for way in WAYS if getattr(block.speed, way))
    yield "Resistances", ", ".join((*block.resistances, *(f"immune to {each}" for each in block.immunities)))
    if block.legendary:
        yield "Legendary actions", f"{legendary_left(who)} of {legendary_most(who)}"
    for trait in block.traits:
        if trait.name == LEGENDARY_RESISTANCE:
            yield "Legendary resistances", f"{left_of(who, trait)} of {most_of(who, trait)}"
    yield "Used up", ", ".join(each.name for each in spent_features(who) if left_of(who, each) < 1)


COUNTED = "experience"
"""The kind of the trait of a foe who has been counted."""


def worth_of(who: Character) -> int:
    """The experience for a foe: that of the stat block, more in a lair, or a stat ``xp``."""
    return max(who.stats.get("xp", worth(who)), 0)


class AwardFoes(Action, verb="award-foes", gm_only=True):
    """Share the experience for foes who were overcome, in whatever way; each foe counts once (R5.137, R5.303)."""

    sentence = "awards experience for {foes}"

    foes: tuple[str, ...] = param.characters("who was overcome")
    who: tuple[str, ...] = param.characters("who shares it: names, or party", default=require.PARTY)
    extra: int = param.number("points that they were worth in addition", default=0, minimum=0, maximum=10**9)

    def resolve(self, table: Table) -> None:
        sharing = require.party(table, self.who)
        foes = [table.character(name) for name in dict.fromkeys(self.foes)]
        for foe in foes:
            if foe.traits_of(COUNTED):
                table.refuse(f"{foe.name} has been counted for experience already.", "foes")
            table.record(events.TraitGained(character=foe.id, trait="experience counted", kind=COUNTED))
        each = (sum(map(worth_of, foes)) + self.extra) // len(sharing)
        reason = f"overcame {', '.join(foe.name for foe in foes)}"
        for who in sharing if each else ():
            table.record(events.ExperienceAwarded(character=who.id, amount=each, reason=reason))
            if table.ruleset is not None:
                table.ruleset.experience_awarded(table, who.id)


class Budget(Action, verb="budget", gm_only=True):
    """Say what a fight may cost the party at each difficulty, and what these foes cost of it (R5.319)."""

    sentence = "weighs a fight"

    foes: tuple[str, ...] = param.names("stat blocks or characters, as '2 ogre,goblin warrior 4'", default=())
    level: int = param.number("the party's level, if it is not theirs", default=0, minimum=0, maximum=20)
    size: int = param.number("how many they are, if it is not the party", default=0, minimum=0, maximum=100)

    def resolve(self, table: Table) -> None:
        rows = catalogue.advancement()
        if self.level:
            levels = [self.level] * (self.size or len(require.party(table)))
        else:
            levels = [max(who.level, 1) for who in require.party(table)]
        budget = {kind: sum(rows[str(level)].budget[kind] for level in levels) for kind in rows["1"].budget}
        costs = ", ".join(f"{kind} {amount}" for kind, amount in budget.items())
        said = f"For {len(levels)} of level {'/'.join(map(str, sorted(set(levels))))}: {costs}"
        cost = sum(self._costs(table))
        fits = next((kind for kind, amount in budget.items() if cost <= amount), "more than high")
        text = f"{said}. These foes are worth {cost}: {fits}." if self.foes else f"{said}."
        table.record(events.NoteWritten(text=text))

    def _costs(self, table: Table) -> Iterator[int]:
        """The experience of each foe that is named. Raises NotFound with the nearest."""
        for typed in map(str.casefold, self.foes):
            if table.knows(typed):
                yield worth_of(table.character(typed))
                continue
            many, name = catalogues.many_of(typed)
            yield many * catalogues.find("stat block", catalogue.monsters, name).xp
