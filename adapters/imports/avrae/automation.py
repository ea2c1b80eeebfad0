"""Reads what the Avrae bot's rules did in one ``automation_run``, as a plain list of happenings in order.

An automation is a tree: targets, and below them attacks, saves, damage and effects, each with what followed from it.
Effects carry the automations of their own buttons along; nothing of those has happened yet, so they are passed over.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from adapters.imports.avrae.lines import Fields, Malformed, an_object, objects, storable, text, truth, whole
from adapters.imports.avrae.rolls import RecordedRoll, read_roll

DEEPEST = 60
QUIET = frozenset({"root", "target", "target_iteration", "condition", "variable", "text", "ieffect", "remove_ieffect"})


@attrs.frozen
class Loose:
    """Dice that decide nothing by themselves, or whose use the record does not tell."""

    roll: RecordedRoll | None
    purpose: str


@attrs.frozen
class AttackRoll:
    """An attack on a target's armour class; ``armour`` is nothing if the record keeps it to itself."""

    target: str
    roll: RecordedRoll | None
    armour: int | None
    hit: bool
    critical: bool


@attrs.frozen
class SavingThrow:
    """A save of a target."""

    target: str
    roll: RecordedRoll | None
    ability: str
    difficulty: int | None
    saved: bool


@attrs.frozen
class Damage:
    """Damage dealt to a target after resistances; below zero it heals."""

    target: str
    roll: RecordedRoll | None
    amount: int


@attrs.frozen
class TemporaryHitPoints:
    """Temporary hit points for a target."""

    target: str
    roll: RecordedRoll | None
    amount: int


@attrs.frozen
class CounterUsed:
    """A counter of the one who acts went down by ``used`` (below zero: up) and stands at ``remaining``."""

    counter: str
    used: int
    remaining: int


Happening: TypeAlias = Loose | AttackRoll | SavingThrow | Damage | TemporaryHitPoints | CounterUsed


@attrs.frozen
class Automation:
    """What one run did. ``strange`` are the kinds of node that nobody here knows."""

    caster: str
    caster_key: str
    targets: tuple[str, ...]
    is_spell: bool
    happenings: tuple[Happening, ...]
    strange: tuple[str, ...]
    unread: tuple[str, ...]


def read_automation(run: Fields) -> Automation:
    """What an ``automation_run`` did. Raises Malformed."""
    reading = _AutomationWalk()
    reading.node(run["automation_result"], "", 0)
    caster = run["caster"]
    return Automation(
        caster=text(caster, "name"),
        caster_key=text(caster, "id", ""),
        targets=tuple(_target_name(target) for target in run["targets"]),
        is_spell=bool(run["automation_result"].get("is_spell")),
        happenings=tuple(reading.happenings),
        strange=tuple(dict.fromkeys(reading.strange)),
        unread=tuple(reading.unread),
    )


def _target_name(target: object) -> str:
    return storable(target) if isinstance(target, str) else text(an_object(target, "a target"), "name")


def spoken(name: str) -> str:
    """A name of the program as people say it: ``wisdomSave`` → ``wisdom save``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()


class _AutomationWalk:
    """A walk through the tree of one automation."""

    def __init__(self) -> None:
        self.happenings: list[Happening] = []
        self.strange: list[str] = []
        self.unread: list[str] = []

    def node(self, node: Fields, target: str, depth: int) -> None:
        """Take in one node, then what followed from it."""
        if depth > DEEPEST:
            raise Malformed("an automation is nested deeper than any recording is")
        kind = text(node, "type")
        if kind == "target_iteration":
            target = text(node, "target_id", "")
        self.happenings += self._happening(kind, node, target)
        for key in ("children", "results"):
            for child in objects(node, key, optional=True):
                self.node(child, target, depth + 1)

    def _happening(self, kind: str, node: Fields, target: str) -> Iterator[Happening]:
        match kind:
            case "attack":
                yield AttackRoll(
                    target, self._roll(node, "to_hit_roll"), _maybe(node, "ac"), truth(node, "did_hit"),
                    truth(node, "did_crit"),
                )  # fmt: skip
            case "save":
                ability = spoken(text(node, "ability"))
                yield SavingThrow(
                    target, self._roll(node, "save_roll"), ability, _maybe(node, "dc"), truth(node, "did_save")
                )
            case "damage":
                yield Damage(target, self._roll(node, "damage_roll"), whole(node, "damage"))
            case "temphp":
                yield TemporaryHitPoints(target, self._roll(node, "amount_roll"), whole(node, "amount"))
            case "roll" if not node.get("hidden"):
                yield Loose(self._roll(node, "roll"), "roll")
            case "check":
                yield Loose(self._roll(node, "check_roll"), f"{text(node, 'skill_name', '').casefold()} check".strip())
            case "counter" if node.get("counter_name") and not node.get("skipped"):
                yield CounterUsed(
                    text(node, "counter_name"), whole(node, "used_amount"), whole(node, "counter_remaining")
                )
            case _ if kind not in QUIET and kind not in ("roll", "counter"):
                self.strange.append(kind)

    def _roll(self, node: Fields, key: str) -> RecordedRoll | None:
        """The roll in a field of a node; nothing if no dice fell."""
        if node.get(key) is None:
            return None
        shown = text(an_object(node[key], f"{key!r}"), "result")
        roll = read_roll(shown)
        if roll is None or not roll.adds_up:
            self.unread.append(shown)
        return roll


def _maybe(node: Fields, key: str) -> int | None:
    return None if node.get(key) is None else whole(node, key)
