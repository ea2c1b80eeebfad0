"""Reader of the Avrae bot's ``automation_run``: the events of its steps.

An automation is a tree: targets, and below them attacks, saves, damage and effects, each with what followed from it.
Effects contain the automations of their own buttons; those have not been run yet, so they are skipped.
"""

import re
from collections.abc import Callable, Iterator

import attrs

from rollbook.adapters.imports.avrae import lines
from rollbook.adapters.imports.avrae.ledger import Ledger, Tracked, check_resolved, dice_rolled
from rollbook.adapters.imports.avrae.rolls import RecordedRoll, read_roll
from rollbook.domain.base.records import Record
from rollbook.domain.events import Event

DEEPEST = 60
QUIET = frozenset({"root", "target", "target_iteration", "condition", "variable", "text", "ieffect", "remove_ieffect"})
UNTARGETED = frozenset({"roll", "check", "counter"})
"""Steps that only concern the acting character."""


def target_names(run: lines.Fields) -> tuple[str, ...]:
    """The names of an ``automation_run``'s targets."""
    return tuple(
        lines.storable(target) if isinstance(target, str) else lines.text(lines.an_object(target, "a target"), "name")
        for target in lines.several(run, "targets")
        if target is not None
    )


def spoken(name: str) -> str:
    """A name of the program in words: ``wisdomSave`` → ``wisdom save``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()


@attrs.frozen
class WalkedStep(Record):
    """One step that was walked: what it is, whom it reached, its events, and how that character stood afterwards."""

    node: lines.Fields
    target: Tracked | None
    depth: int
    events: tuple[Event, ...]
    lost: int | None
    temp: int


class AutomationWalk:
    """A walk through the tree of one automation: events of its steps, in order, and steps that were not understood."""

    def __init__(self, ledger: Ledger, actor: Tracked) -> None:
        self.ledger = ledger
        self.actor = actor
        self.steps: list[WalkedStep] = []
        self.kinds: set[str] = set()
        self.targets: dict[str, None] = {}
        self.strange: dict[str, None] = {}
        self.unread: list[str] = []

    def node(self, node: lines.Fields, target: str = "", depth: int = 0) -> None:
        """Process one step, then the steps below it. Raises Malformed."""
        if depth > DEEPEST:
            raise lines.Malformed("an automation is nested deeper than any recording is")
        kind = lines.text(node, "type")
        if kind == "target_iteration":
            target = lines.text(node, "target_id", "")
        if kind in STEPS:
            self.kinds.add(kind)
            made = tuple(STEPS[kind](self, node, target))
            self.steps.append(self._step(node, target, depth, made))
            if kind not in UNTARGETED:
                self.targets[target] = None
        elif kind not in QUIET:
            self.strange[kind] = None
        for key in ("children", "results"):
            for child in lines.objects(node, key, optional=True):
                self.node(child, target, depth + 1)

    @property
    def events(self) -> Iterator[Event]:
        """The events of all steps, in order."""
        return (event for step in self.steps for event in step.events)

    def _step(self, node: lines.Fields, target: str, depth: int, made: tuple[Event, ...]) -> WalkedStep:
        who = self.ledger.of_key(target)
        lost = who.max_hp - who.hp if who is not None and who.hp is not None else None
        return WalkedStep(node, who, depth, made, lost, who.temp_hp if who is not None else 0)

    def roll(self, node: lines.Fields, key: str) -> RecordedRoll | None:
        """The roll in a field of a step; None if there is none."""
        if node.get(key) is None:
            return None
        shown = lines.text(lines.an_object(node[key], f"{key!r}"), "result")
        roll = read_roll(shown)
        if roll is None or not roll.adds_up:
            self.unread.append(shown)
        return roll


def _attack(walk: AutomationWalk, node: lines.Fields, target: str) -> Iterator[Event]:
    roll, armour, actor = walk.roll(node, "to_hit_roll"), _maybe(node, "ac"), walk.actor.id
    hit, critical = lines.truth(node, "did_hit"), lines.truth(node, "did_crit")
    outcome = "critical hit" if critical else "hit" if hit else "miss"
    defender = walk.ledger.of_key(target)
    yield from dice_rolled(actor, "to hit", roll)
    against = defender.id if defender else ""
    yield from check_resolved(
        roll, armour, character=actor, check="attack", success=hit, outcome=outcome, against=against
    )


def _save(walk: AutomationWalk, node: lines.Fields, target: str) -> Iterator[Event]:
    ability, roll = spoken(lines.text(node, "ability")), walk.roll(node, "save_roll")
    difficulty, saved = _maybe(node, "dc"), lines.truth(node, "did_save")
    saver = walk.ledger.of_key(target) or walk.actor
    yield from dice_rolled(saver.id, ability, roll)
    outcome, against = "saved" if saved else "failed", walk.actor.id if saver is not walk.actor else ""
    said = {"character": saver.id, "check": ability, "success": saved, "outcome": outcome, "against": against}
    yield from check_resolved(roll, difficulty, **said)


def _damage(walk: AutomationWalk, node: lines.Fields, target: str) -> Iterator[Event]:
    """Deal damage to a target, after resistances; a negative amount heals."""
    roll, amount = walk.roll(node, "damage_roll"), lines.whole(node, "damage")
    struck = walk.ledger.of_key(target)
    yield from dice_rolled(walk.actor.id, "damage" if amount >= 0 else "healing", roll)
    if struck is not None:
        yield from struck.shift(-amount, roll.labels if roll is not None else (), walk.actor.id)


def _temporary_hit_points(walk: AutomationWalk, node: lines.Fields, target: str) -> Iterator[Event]:
    roll, amount = walk.roll(node, "amount_roll"), lines.whole(node, "amount")
    protected = walk.ledger.of_key(target)
    yield from dice_rolled(walk.actor.id, "temporary hit points", roll)
    if protected is not None:
        yield from protected.protect(amount, f"from {walk.actor.name}")


def _roll(walk: AutomationWalk, node: lines.Fields, _target: str) -> Iterator[Event]:
    return iter(()) if node.get("hidden") else dice_rolled(walk.actor.id, "roll", walk.roll(node, "roll"))


def _check(walk: AutomationWalk, node: lines.Fields, target: str) -> Iterator[Event]:
    """Resolve a target's check, perhaps against one of the acting character: then both roll; a tie is no success."""
    checked, actor = walk.ledger.of_key(target) or walk.actor, walk.actor
    purpose, contested = (
        f"{lines.text(node, key, '').casefold()} check".strip() for key in ("skill_name", "contest_skill_name")
    )
    roll, contest = walk.roll(node, "check_roll"), walk.roll(node, "contest_roll")
    yield from dice_rolled(checked.id, purpose, roll)
    yield from dice_rolled(actor.id, contested, contest)
    succeeded = node.get("did_succeed")
    if isinstance(succeeded, bool) or (contest is not None and succeeded is None):
        outcome = "tie" if succeeded is None else "success" if succeeded else "failure"
        difficulty = contest.total if contest is not None else _maybe(node, "dc")
        said = {"character": checked.id, "check": purpose, "success": bool(succeeded), "outcome": outcome}
        yield from check_resolved(roll, difficulty, **said, against=actor.id if checked is not actor else "")


def _counter(walk: AutomationWalk, node: lines.Fields, _target: str) -> Iterator[Event]:
    """Spend a counter of the acting character by the used amount (negative: gain)."""
    if node.get("counter_name") and not node.get("skipped"):
        used, remaining = lines.whole(node, "used_amount"), lines.whole(node, "counter_remaining")
        yield from walk.actor.use_counter(lines.text(node, "counter_name"), used, remaining)


def _maybe(node: lines.Fields, key: str) -> int | None:
    return None if node.get(key) is None else lines.whole(node, key)


Step = Callable[[AutomationWalk, lines.Fields, str], Iterator[Event]]
STEPS: dict[str, Step] = {
    "attack": _attack,
    "save": _save,
    "damage": _damage,
    "temphp": _temporary_hit_points,
    "roll": _roll,
    "check": _check,
    "counter": _counter,
}
