"""Usage dice: a supply has a die that shrinks on a 1 or 2, until nothing is left (R3.95, Q3.40).

A thing has a usage die if its ``use`` says so ("usage:d8") or if the tables do (a full waterskin has a d6, R3.42). Every
spare beyond the first fills a slot of its own and makes the die a step larger. What is recorded is how many steps have
been used up, so a spare that is added or given away later counts as it should.
"""

from collections.abc import Iterator

from rollbook.kit import counters, equipment, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.russell import gear

CHAIN = (0, 4, 6, 8, 10, 12, 20)
"""The sides of the die at every step; 0: out."""

USED_UP = "used up"
"""The counter of the steps that a supply has lost."""

PURPOSE = "usage"
SHRINKS_ON = 2
STEPS = {f"d{sides}": step for step, sides in enumerate(CHAIN)}


def full_step(item: str, use: tuple[str, ...]) -> int:
    """The step of a full supply's die, 0 for things that have none."""
    return STEPS.get(gear.thing(item, use).usage, 0)


def _unspent(who: Character, item: str) -> int:
    """The step of a supply before anything was used up, spares counted, however high."""
    held = who.gear.get(item)
    if held is None or held.count < 1 or not full_step(item, held.use):
        return 0
    return full_step(item, held.use) + held.count - 1


def step(who: Character, item: str) -> int:
    """The step of a supply's die in the chain: 0 is out, 6 a d20."""
    left = _unspent(who, item) - counters.count(who.pools, USED_UP, item)
    return max(0, min(left, len(CHAIN) - 1))


def sides(who: Character, item: str) -> int:
    """The sides of a supply's die, 0 when it is out."""
    return CHAIN[step(who, item)]


def is_supply(who: Character, item: str) -> bool:
    """Tell if a character's thing has a usage die."""
    return _unspent(who, item) > 0


def supplies(who: Character, key: str = "") -> Iterator[str]:
    """A character's things with usage dice; ``key`` picks one sort ("waterskin")."""
    for item, held in who.gear.items():
        if is_supply(who, item) and key in ("", gear.thing(item, held.use).row.key):
            yield item


def use_some(table: Table, name: str, item: str) -> None:
    """Roll a supply's die: on 1 or 2 it shrinks a step (R3.95). After d4 it is out: only refillable things are kept."""
    who = table.character(name)
    before = step(who, item)
    roll = table.roll(f"1d{CHAIN[before]}[{item}]", roller=name, purpose=PURPOSE)
    if roll.total <= SHRINKS_ON:
        lost = _unspent(who, item) - counters.count(who.pools, USED_UP, item) - before + 1
        counters.change(table, name, counters.counter(USED_UP, item), lost, item)
        held = who.gear[item]
        if before == 1 and not gear.thing(item, held.use).row.refilled:
            table.record(events.GearLost(character=name, item=item, count=held.count))
            counters.empty(table, name, counters.counter(USED_UP, item), "none left")


def hand_on_use(table: Table, giver: Character, taker: Character, item: str, many: int) -> None:
    """Supplies are about to change hands: full ones go first, and the total never grows."""
    full = full_step(item, giver.gear[item].use)
    if not full:
        return
    staying = giver.gear[item].count - many
    used_up = counters.count(giver.pools, USED_UP, item)
    left, theirs = (
        max(_unspent(who, item) - who.pools.get(counters.counter(USED_UP, item), 0), 0) for who in (giver, taker)
    )
    had = taker.gear[item].count if is_supply(taker, item) else 0
    would = max(left, theirs + min(many, left))
    _use_becomes(table, giver, item, min(used_up, full + staying - 1) if staying else 0)
    _use_becomes(table, taker, item, full + had + many - 1 - would)


def _use_becomes(table: Table, who: Character, item: str, steps: int) -> None:
    pool = counters.counter(USED_UP, item)
    counters.change(table, who.id, pool, steps - who.pools.get(pool, 0), "handed on")


class UseUp(Action, verb="use-up"):
    """Use something with a usage die: arrows, spices, a waterskin; on a 1 or 2 the die shrinks (R3.95)."""

    sentence = "uses {item:the}"
    typed_dice = (DiceStep(effects={"the usage die": PURPOSE}),)

    who: str = param.character("who uses it", actor=True)
    item: str = param.gear("what is used, for example waterskin", fits=supplies)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        item = equipment.called(who, self.item)
        fault = ""
        if not is_supply(who, item):
            had = f"no {item!r} with a usage die, but {', '.join(supplies(who)) or 'nothing'}"
            fault = f"{who.name} has {had}. Arrows, say, are given with one: give {who.id} arrows --use usage:d8"
        elif not step(who, item):
            fault = f"{who.name}'s {item} is empty. Where there is more of it, the GM says: fill {who.id} {item}"
        if fault:
            table.refuse(fault, "item")
        use_some(table, who.id, item)


class Fill(Action, verb="fill", gm_only=True):
    """Fill something with a usage die again: a waterskin at the well (R3.42)."""

    sentence = "fills {item:the} of {who}"

    who: str = param.character("whose it is")
    item: str = param.gear("what is filled, for example waterskin", fits=supplies)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        item = equipment.called(who, self.item)
        if not is_supply(who, item):
            table.refuse(f"{who.name} has no {item!r} that can be filled. First: give {who.id} {item}", "item")
        if not counters.empty(table, who.id, counters.counter(USED_UP, item), "filled"):
            table.refuse(f"{who.name}'s {item} is full already.", "item")


def usage_terms(who: Character, item: str) -> tuple[Term, ...]:
    """The terms of the sides of a supply's die: when full, and the changes by spares and use."""
    full = CHAIN[full_step(item, who.gear[item].use)]
    spared = CHAIN[min(_unspent(who, item), len(CHAIN) - 1)]
    changes = (
        Term(spared - full, "spares", "R3.95", f"gear.{item}"),
        Term(sides(who, item) - spared, "used up", "R3.95", f"pool.{counters.counter(USED_UP, item)}"),
    )
    return (Term(full, "full", "R3.95", f"gear.{item}"), *(term for term in changes if term.amount))
