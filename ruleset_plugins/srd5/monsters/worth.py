"""Experience: what foes are worth, shared by those who met them, and what a fight may cost (R5.137, R5.303, R5.319)."""

import re
from collections.abc import Iterator

from rollbook.kit import catalogues, require
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.monsters import uses

COUNTED = "experience"
"""The kind of the trait of a foe who has been counted."""

_MANY = re.compile(r"(?:(\d+)\s*x?\s+)?(.*?)(?:\s+x?(\d+))?")


def worth_of(who: Character) -> int:
    """The experience for a foe: that of the stat block, more in a lair, or a stat ``xp``."""
    return max(who.stats.get("xp", uses.worth(who)), 0)


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
            found = _MANY.fullmatch(typed.strip())
            name = found[2] if found is not None else typed
            many = int(found[1] or found[3] or 1) if found is not None else 1
            yield many * catalogues.find("stat block", catalogue.monsters, name).xp
