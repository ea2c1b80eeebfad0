"""Making characters and powers: every number is entered as the table wants it (Q2.10, Q2.12)."""

from collections.abc import Mapping
from typing import ClassVar

from ruleset_plugins import (
    Action,
    Table,
    amounts,
    chance,
    character,
    choice,
    dice,
    events,
    flag,
    names,
    number,
    slug,
    words,
)
from ruleset_plugins.kit import stat_entry, verbs
from ruleset_plugins.powers.checks import LADDER
from ruleset_plugins.powers.powers import ANY, FREE, MAIN, POWER, Outcome, Power, as_data, listed
from ruleset_plugins.powers.rerolls import REROLL
from ruleset_plugins.powers.stats import DEFENSE, MAX_HP, stat_key

DAMAGE, HEALING = "damage", "healing"


class Join(verbs.JoinAction):
    """Bring a character in: hit points, Defense, and the attributes and skills that the table plays with."""

    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("hp", "id", "seat", "defense", "stats", "powers", "rerolls"),
        **dict.fromkeys(("npc", "monster", "hireling", "thing"), ("hp", "id", "defense", "stats", "powers")),
    }

    hp: int = number("hit points", minimum=1, maximum=100_000)
    defense: int = number("Defense, the DC that most attacks on them meet", default=10, minimum=-1_000, maximum=1_000)
    stats: Mapping[str, int] = amounts("attributes, skills and Initiative, as strength=3,initiative=1", default={})
    powers: tuple[str, ...] = names("powers that they have besides Strike, by name", default=())
    rerolls: int = number("reroll effects that they begin with", default=0, minimum=0, maximum=1_000)

    def resolve(self, table: Table) -> None:
        stats = self._stats(table)
        powers = [listed(name).key for name in self.powers]
        who = self.enter(table)
        for stat, amount in stats.items():
            table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason="as entered"))
        for power in dict.fromkeys(powers):
            table.record(events.TraitGained(character=who, trait=power, kind=POWER))
        if self.rerolls:
            table.record(events.PoolGained(holder=who, pool=REROLL, amount=self.rerolls, reason="as entered"))

    def _stats(self, table: Table) -> dict[str, int]:
        entered = {stat_key(stat): amount for stat, amount in self.stats.items()}
        return {MAX_HP: self.hp, DEFENSE: self.defense, **stat_entry.checked_stats(table, entered)}


class DefinePower(Action, verb="define-power", gm_only=True):
    """Write a power of a character, or replace one (Q2.10).

    A power that comes with the game is handed out with: trait WHO KEY --kind power
    """

    who: str = character("whose power it is")
    name: str = words("what it is called")
    looks: str = words("what it looks like", default="")
    attack: bool = flag("it is an attack")
    cost: str = choice("main or free; attacks are main and others free if it is not said", (MAIN, FREE), default="")
    rolls: str = words("the stat that is rolled; attacks always roll", default="")
    against: str = words("what it is rolled against: a target's stat, a step like hard, or a number", default="")
    most: int = number("how many targets at once, 0 for any number", default=1, minimum=ANY, maximum=1_000)
    does: str = choice("what the dice are", (DAMAGE, HEALING), default=DAMAGE)
    success: str = dice("the dice of a success", default="")
    critical_success: str = dice("the dice of a critical success; if not said, twice a success", default="")
    failure: str = dice("the dice of a failure", default="")
    critical_failure: str = dice("the dice of a critical failure", default="")
    adds: str = words("a stat that is added to the dice of successes", default="")
    condition: str = words("the condition that a success brings", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, silver …", default=())

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        power = self._power(table)
        table.record(events.TraitGained(character=who.id, trait=power.key, kind=POWER, data=as_data(power)))

    def _power(self, table: Table) -> Power:
        key = slug(self.name)
        if not key:
            table.refuse("A power needs a name with letters or digits in it.")
        try:
            return Power(
                key=key,
                title=self.name.strip(),
                looks=self.looks,
                attack=self.attack,
                cost=self.cost,
                rolls=stat_key(self.rolls),
                against=self._against,
                most=self.most,
                tags=self.tags,
                critical_success=self._critical_success(),
                success=self._outcome(self.success, adds=self.adds, condition=self.condition),
                failure=self._outcome(self.failure),
                critical_failure=self._outcome(self.critical_failure),
            )
        except ValueError as fault:
            table.refuse(f"This power cannot be: {fault}. Say what it --rolls and what it is --against.")

    @property
    def _against(self) -> str:
        """A stat under its own name; a step of the ladder or a number stays."""
        return slug(self.against) if slug(self.against) in LADDER else stat_key(self.against)

    def _critical_success(self) -> Outcome | None:
        dice = self.critical_success or self.success
        times = 1 if self.critical_success else 2
        return self._outcome(dice, adds=self.adds, condition=self.condition, times=times)

    def _outcome(self, dice: str, *, adds: str = "", condition: str = "", times: int = 1) -> Outcome | None:
        if not dice:
            return Outcome(condition=condition) if condition else None
        chance(dice, 0)  # dice that cannot be rolled are refused now, not in the middle of a fight
        damage, healing = (dice, "") if self.does == DAMAGE else ("", dice)
        return Outcome(damage=damage, healing=healing, adds=stat_key(adds), condition=condition, times=times)
