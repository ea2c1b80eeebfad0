"""Standing in a foe's way: somebody within weapon reach who says so lets that foe neither pass nor leave (R3.76)."""

from rollbook.kit import conditions, require
from rollbook.plugin import Action, Character, Table, param
from rollbook.rulesets.russell.fight import movement, turns
from rollbook.rulesets.russell.fight.conditions import FLOORED

BLOCKS = "blocks"
"""The field of the condition of somebody who stands in a foe's way: the foe."""


class Block(Action, verb="block"):
    """Stand in the way of a foe within weapon reach, which costs nothing: they cannot move on until it ends (R3.76)."""

    sentence = "lets {foe} pass again{off:if}|stands in the way of {foe}"

    who: str = param.character("who stands in the way", actor=True)
    foe: str = param.character("whose way it is")
    off: bool = param.flag("let them pass again", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        actor = turns.can_act(table, who)
        if table.encounter is None and not conditions.with_data(actor, BLOCKS):
            table.refuse(f"Nobody is within weapon reach of {actor.name}, who can block nobody.")

    def resolve(self, table: Table) -> None:
        who, foe = turns.can_act(table, self.who), require.living(table, self.foe)
        require.other_opponent(table, who.id, foe.id)
        state = f"blocking {foe.id}"
        if self.off:
            if not conditions.end(table, who.id, state):
                table.refuse(f"{who.name} does not stand in {foe.name}'s way.", parameter="foe")
        elif table.encounter is None or movement.range_between(table, who.id, foe.id):
            table.refuse(
                f"{foe.name} is not within weapon reach of {who.name}, who can block nobody else.", parameter="foe"
            )
        elif not conditions.begin(table, who.id, state, source=foe.id, data={BLOCKS: foe.id}):
            table.refuse(f"{who.name} stands in {foe.name}'s way already.", parameter="foe")


def check_way(table: Table, who: Character, ruled: str = "") -> None:
    """Refuse to move on where somebody able within weapon reach stands in the way, or the GM has ruled that one does."""
    said = (each for each in table.characters() if _blocks(each, who))
    for foe in (*((require.living(table, ruled),) if ruled else ()), *said):
        is_able = not any(foe.has(state) for state in (*turns.KEPT_OUT, FLOORED))
        if is_able and movement.range_between(table, who.id, foe.id) == 0:
            table.refuse(
                f"{foe.name} is within weapon reach and blocks {who.name}'s way. A stunt may get {foe.name} out of it: "
                f"stunt {who.id} {foe.id}"
            )


def _blocks(foe: Character, who: Character) -> bool:
    return any(each.data[BLOCKS] == who.id for each in conditions.with_data(foe, BLOCKS))


def end_blocks(table: Table, name: str) -> None:
    """The fight is over, and nobody stands in anybody's way."""
    for condition in conditions.with_data(table.character(name), BLOCKS):
        conditions.end(table, name, condition.name)
