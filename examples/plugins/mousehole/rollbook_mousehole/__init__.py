"""Mousehole: a night in the kitchen, some cheese, and a cat. Pools of six-sided dice, for an evening."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rollbook.kit import conditions, require, settings, verbs
from rollbook.plugin import (
    Action,
    CampaignState,
    Character,
    CharacterKind,
    Ruleset,
    SecondThought,
    Sheet,
    Table,
    Term,
    Value,
    character,
    choice,
    events,
    flag,
    number,
    setting,
    summed,
)
from rollbook_mousehole.crossing import AVERAGE, CAUGHT, CROSSING, CRUMB, CRUMBS, TRAITS

TARGETS = {"easy": 1, "tricky": 2, "mad": 3}
POINTS, WAKES = 7, 5
CHEESE, NOISE = "cheese", "noise"


@attrs.frozen(kw_only=True)
class Settings(settings.HouseRules):
    """What a table may play differently."""

    nibble_from: int = setting(5, "from which face on a die is a nibble; 4 is kinder", minimum=2)


class Join(verbs.JoinAction):
    """A mouse comes out of the hole: seven points in nimble, bold and clever, and three crumbs."""

    nimble: int = number("paws and whiskers", default=3, minimum=1, maximum=5)
    bold: int = number("heart and teeth", default=2, minimum=1, maximum=5)
    clever: int = number("nose and wits", default=2, minimum=1, maximum=5)

    def resolve(self, table: Table) -> None:
        points = self.nimble + self.bold + self.clever
        if points != POINTS:
            table.refuse(f"A mouse has {POINTS} points, and {points} were given. Share them out again.")
        who = self.enter(table)
        for trait in TRAITS:
            table.record(events.StatChanged(character=who, stat=trait, amount=getattr(self, trait)))
        table.record(events.PoolGained(holder=who, pool=CRUMB, amount=CRUMBS))


class Check(Action, verb="check"):
    """Try something: as many dice as the trait has points, and every 5 and 6 is a nibble. A failure makes a noise."""

    sentence = "tries something {trait}[ to free {frees}]"

    who: str = character("who tries", actor=True)
    trait: str = choice("with which trait", tuple(TRAITS))
    target: str = choice("how hard it is: easy needs 1 nibble, tricky 2, mad 3", tuple(TARGETS), default="easy")
    cheese: bool = flag("it is about cheese: every nibble is a piece of it")
    frees: str = character("a friend under the paw, whom success sets free", default="")

    def resolve(self, table: Table) -> None:
        """Dice first, then the crumbs that are eaten, then what comes of it."""
        who = require.able(table, self.who, {CAUGHT: "A friend may set {name} free: check FRIEND bold --frees NAME"})
        if self.frees and not require.living(table, self.frees).has(CAUGHT):
            table.refuse(f"{table.character(self.frees).name} is not under the paw. Leave --frees out.")
        nibbles, needed = self._nibbles(table, who), TARGETS[self.target]
        won = nibbles >= needed
        table.record(
            events.CheckResolved(
                character=who.id,
                check=self.trait,
                total=nibbles,
                target=needed,
                success=won,
                outcome="done" if won else "clatter",
                against=self.target,
            )
        )
        if not won:
            clatter(table, who)
        elif self.cheese:
            table.record(events.PoolGained(holder=who.id, pool=CHEESE, amount=nibbles))
        if won and self.frees:
            conditions.end(table, self.frees, CAUGHT)

    def _nibbles(self, table: Table, who: Character) -> int:
        dice = pool(who, self.trait)
        nibbles = roll(table, who, dice, "check")
        for thought in table.second_thoughts(CRUMB):
            if thought.roll or thought.keep not in ("", "new", "best"):
                table.refuse("A crumb rolls the dice of this one check once more, and that result counts.")
            if nibbles == dice:
                table.refuse(f"Every one of {who.name}'s dice is a nibble already. Keep the crumb.")
            eat(table, thought)
            nibbles += roll(table, who, dice - nibbles, "crumb")
        return nibbles


def pool(who: Character, trait: str) -> int:
    """How many dice a trait is worth; somebody from another game may have less than one point, or far too many."""
    return max(1, min(who.stats.get(trait, AVERAGE), 20))


def roll(table: Table, who: Character, dice: int, purpose: str) -> int:
    """How many of so many dice are nibbles."""
    rolled = table.roll(f"{dice}d6", roller=who.id, purpose=purpose)
    return sum(die.face >= Settings.of(table).nibble_from for die in rolled.dice)


def eat(table: Table, thought: SecondThought) -> None:
    """A crumb is gone: one's own, or a friend's."""
    if not thought.character:
        table.refuse("Say with --by whose crumb it is; the GM has none.")
    eater = require.living(table, thought.character)
    if eater.pools.get(CRUMB, 0) < 1:
        table.refuse(f"{eater.name} has no crumb left. Dawn brings new ones.")
    table.record(events.PoolSpent(holder=eater.id, pool=CRUMB, amount=1))


def clatter(table: Table, who: Character) -> None:
    """Something falls. At the fifth noise the cat puts a paw on the mouse that made it, and sleeps on."""
    table.record(events.PoolGained(holder="", pool=NOISE, amount=1))
    if table.gm_pools.get(NOISE, 0) >= WAKES:
        conditions.begin(table, who.id, CAUGHT, source="the cat")
        table.record(events.PoolBecame(holder="", pool=NOISE, amount=0, reason="the cat sleeps on"))


class Dawn(Action, verb="dawn", gm_only=True):
    """The night is over: cheese that was brought home becomes fame, and everybody has three crumbs again."""

    sentence = "lets a new day dawn"

    def resolve(self, table: Table) -> None:
        """A mouse under the paw is let go, without the cheese."""
        mice = [who for who in table.characters() if not who.has(conditions.DEAD)]
        if not mice:
            table.refuse("There is no mouse to see the dawn. Let one in: join NAME")
        for who in mice:
            cheese = who.pools.get(CHEESE, 0)
            if cheese > 0:
                table.record(events.PoolSpent(holder=who.id, pool=CHEESE, amount=cheese, reason="dawn"))
                if not who.has(CAUGHT):
                    table.record(
                        events.ExperienceAwarded(character=who.id, amount=cheese, reason="cheese brought home")
                    )
            conditions.end(table, who.id, CAUGHT)
            table.record(events.PoolBecame(holder=who.id, pool=CRUMB, amount=CRUMBS, reason="breakfast"))
        table.record(events.PoolBecame(holder="", pool=NOISE, amount=0, reason="the cook is up"))


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """Traits, crumbs, cheese and fame."""
    nibble = Settings.of(campaign).nibble_from
    return Sheet(
        character=who.id,
        name=who.name,
        title="mouse" if who.kind is CharacterKind.PLAYER_CHARACTER else str(who.kind),
        values=tuple(_values(who)),
        words=(("Status", CAUGHT if who.has(CAUGHT) else "free"), ("Nibbles", f"every die from {nibble} on")),
    )


def _values(who: Character) -> Iterator[Value]:
    for trait in TRAITS:
        own = Term(who.stats.get(trait, 0), "points", path=f"stat.{trait}")
        usual = Term(0 if trait in who.stats else AVERAGE, "like anybody")
        yield summed(trait, trait.capitalize(), (own, usual), group="Traits")
    for name, label in ((CRUMB, "Crumbs"), (CHEESE, "Cheese")):
        yield summed(name, label, (Term(who.pools.get(name, 0), "held", path=f"pool.{name}"),), group="Larder")
    yield summed("xp", "Fame", (Term(who.experience, "cheese brought home", path="experience"),), group="Larder")


RULESET = Ruleset(
    key="mousehole",
    title="Mousehole",
    version="1",
    summary="A night in the kitchen, some cheese, and a cat: pools of six-sided dice for an evening.",
    actions=(Join, Check, Dawn),
    sheet=sheet,
    settings=Settings,
    second_thoughts={CRUMB: "eat a crumb: every die that was no nibble is rolled once more"},
    crossing=CROSSING,
    overview=("xp", CRUMB, CHEESE, "Status"),
)
