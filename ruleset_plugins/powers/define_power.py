"""Powers of the table's own: every number is entered as the table wants it (Q2.10)."""

from collections.abc import Mapping

from rollbook.kit import vocabulary
from rollbook.plugin import Action, CampaignState, Table, chance, events, param, slug
from rollbook.rulesets.powers.checks import LADDER
from rollbook.rulesets.powers.powers import ANY, FREE, MAIN, POWER, Outcome, Power, as_data, powers_of
from rollbook.rulesets.powers.stats import stat_key

DAMAGE, HEALING = "damage", "healing"


class DefinePower(Action, verb="define-power", gm_only=True):
    """Write a power of a character, or replace one (Q2.10).

    A power that comes with the game is handed out with: trait WHO KEY --kind power
    """

    sentence = "writes the power {name} of {who}"

    who: str = param.character("whose power it is")
    name: str = param.label("what it is called")
    looks: str = param.words("what it looks like", default="")
    attack: bool = param.flag("it is an attack")
    cost: str = param.choice(
        "main or free; attacks are main and others free if it is not said", (MAIN, FREE), default=""
    )
    rolls: str = param.words("the stat that is rolled; attacks always roll", default="", of=vocabulary.STAT)
    against: str = param.words(
        "what it is rolled against: a target's stat, a step like hard, or a number", default="", of=vocabulary.TARGET
    )
    most: int = param.number("how many targets at once, 0 for any number", default=1, minimum=ANY, maximum=1_000)
    does: str = param.choice("what the dice are", (DAMAGE, HEALING), default=DAMAGE)
    success: str = param.dice("the dice of a success", default="")
    critical_success: str = param.dice("the dice of a critical success; if not said, twice a success", default="")
    failure: str = param.dice("the dice of a failure", default="")
    critical_failure: str = param.dice("the dice of a critical failure", default="")
    adds: str = param.words("a stat that is added to the dice of successes", default="", of=vocabulary.STAT)
    condition: str = param.label("the condition that a success brings", default="", of=vocabulary.CONDITION)
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, acid, silver …", default=(), of=vocabulary.DAMAGE
    )
    key: str = param.label("what it is called in commands", default="")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The key of the power, by which commands name it; it stays."""
        return {"key": self.key or slug(self.name)}

    @classmethod
    def amended(
        cls,
        had: Mapping[str, events.ParameterValue],
        changes: Mapping[str, events.ParameterValue],
        outcome: tuple[events.Event, ...],
    ) -> Mapping[str, events.ParameterValue]:
        """The parameters of an amendment: the power keeps its key in commands, whatever its name is now."""
        written = next((event.trait for event in outcome if isinstance(event, events.TraitGained)), "")
        return {**had, "key": had.get("key") or written, **changes}

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        power = self._power(table)
        title = power.title.casefold()
        for key, other in powers_of(who).items():
            if key != power.key and other.title.casefold() == title:
                table.refuse(f"{who.name} has a power called {other.title} already, in commands {key}.", "name")
        table.record(events.TraitGained(character=who.id, trait=power.key, kind=POWER, data=as_data(power)))

    def _power(self, table: Table) -> Power:
        key = self.key or slug(self.name)
        if not key:
            table.refuse("A power needs a name with letters or digits in it.", "name")
        if slug(key) != key:
            table.refuse(f"{key!r} cannot be typed easily; call the power {slug(key)!r} in commands.", "key")
        dice, times = (self.critical_success, 1) if self.critical_success else (self.success, 2)
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
                critical_success=self._outcome(dice, adds=self.adds, condition=self.condition, times=times),
                success=self._outcome(self.success, adds=self.adds, condition=self.condition),
                failure=self._outcome(self.failure),
                critical_failure=self._outcome(self.critical_failure),
            )
        except ValueError as fault:
            table.refuse(f"This power cannot be: {fault}. Say what it --rolls and what it is --against.", "rolls")

    @property
    def _against(self) -> str:
        """A stat under its own name; a step of the ladder or a number stays."""
        step, typed = slug(self.against), self.against.strip()
        return step if step in LADDER else typed if typed.removeprefix("-").isdecimal() else stat_key(typed)

    def _outcome(self, dice: str, *, adds: str = "", condition: str = "", times: int = 1) -> Outcome | None:
        if not dice:
            return Outcome(condition=condition) if condition else None
        chance(dice, 0)  # dice that cannot be rolled are refused now, not in the middle of a fight
        damage, healing = (dice, "") if self.does == DAMAGE else ("", dice)
        return Outcome(damage=damage, healing=healing, adds=stat_key(adds), condition=condition, times=times)
