"""Making characters: every number is entered as the table wants it (Q2.10, Q2.12)."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from rollbook.kit import stat_entry, verbs, vocabulary
from rollbook.plugin import CampaignState, Table, events, param, slug
from rollbook.rulesets.powers.checks import REROLL
from rollbook.rulesets.powers.powers import POWER, POWERS, STRIKE, listed
from rollbook.rulesets.powers.stats import DEFENSE, INITIATIVE, MAX_HP, stat_key, stat_title


class Join(verbs.JoinAction):
    """Bring a character in: hit points, Defense, and the attributes and skills that the table plays with."""

    stat_block: ClassVar[Mapping[str, str]] = {"hp": "hp", "defense": "ac", "stats.initiative": "initiative"}
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("hp", "id", "seat", "defense", "stats", "powers", "rerolls"),
        **dict.fromkeys(("npc", "monster", "hireling", "thing"), ("hp", "id", "defense", "stats", "powers")),
    }

    hp: int = param.number("hit points", minimum=1, maximum=100_000, several=verbs.HP_EACH)
    defense: int = param.number(
        "Defense, the DC that most attacks on them meet", default=10, minimum=-1_000, maximum=1_000
    )
    stats: Mapping[str, int] = param.amounts(
        "attributes, skills and Initiative, as strength=3,initiative=1", default={}, of=vocabulary.STAT
    )
    powers: tuple[str, ...] = param.names(
        "powers that they have besides Strike, by name", default=(), of=vocabulary.POWER
    )
    rerolls: int = param.number("reroll effects that they begin with", default=0, minimum=0, maximum=1_000)

    def remarks(self, campaign: CampaignState) -> Iterator[str]:  # noqa: ARG002 - it is all in the action
        """An attack rolls a stat, so a newcomer without it cannot attack (R2.17)."""
        known = {*map(stat_key, self.stats), *self.sheet, DEFENSE, INITIATIVE, MAX_HP}
        attacks = [POWERS[key] for key in (STRIKE, *map(slug, self.powers)) if key in POWERS and POWERS[key].attack]
        missing = dict.fromkeys(power.rolls for power in attacks if power.rolls not in known)
        if missing and not self.like:
            titles = ", ".join(power.title for power in attacks if power.rolls in missing)
            yield (
                f"{self.name} has no {' and no '.join(map(stat_title, missing))}, and without it there is no {titles}. The GM "
                f"enters it: adjust {self.id or slug(self.name)} {next(iter(missing))} 2 WHY"
            )

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
