"""Recorded steps as a game is told of them: the d20s of a test, the damage of an attack, amounts of points."""

import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from rollbook.adapters.imports import ImportedAction
from rollbook.adapters.imports.avrae import lines
from rollbook.adapters.imports.avrae.automation import WalkedStep
from rollbook.adapters.imports.avrae.ledger import Tracked
from rollbook.adapters.imports.avrae.rolls import Part, RecordedRoll, healing_parts, parts_of, read_roll
from rollbook.application.playing.recorded_play import Expected, Play
from rollbook.domain import events
from rollbook.domain.base.records import Changeable
from rollbook.domain.events import DiceRolled, Event, ParameterValue, Scalar

AS_RECORDED = "as recorded"
D20 = 20

TEMPORARY = "temporary"
"""The pool of temporary hit points in that game."""
KINDS = {"attack": "attack", "save": "save", "damage": "damage", "temphp": "temporary hit points"}
Params = dict[str, ParameterValue]
Rolled = RecordedRoll | DiceRolled
DEFINED = re.compile(
    r"\s*(?P<dice>[0-9]{1,3}d[0-9]{1,4})[a-z0-9<>=]*\s*(?:(?P<more>[+-]\s*[0-9]{1,4})\s*)?(?:\[(?P<label>[^\]]*)\])?\s*"
)
EASE: dict[str, Params] = {
    "": {}, "advantage": {"advantage": (AS_RECORDED,)}, "disadvantage": {"disadvantage": (AS_RECORDED,)},
}  # fmt: skip


@attrs.define
class Author(Changeable):
    """The person behind a run, the moment, and the verb and parameters under which it stands where it is not played."""

    seat: str
    at: int
    verb: str
    params: Mapping[str, Scalar]
    actor: Tracked
    thing: str = ""

    def actions(self, happened: Sequence[Event], play: Play | None = None) -> Iterator[ImportedAction]:
        """An action of these events; none without events."""
        if happened or play is not None:
            yield ImportedAction(self.verb, self.params, self.seat, self.at, tuple(happened), self.actor.id, play=play)


class Lacking(Exception):
    """The reason why a step cannot be played."""


def roll_in(step: WalkedStep, key: str) -> RecordedRoll:
    """The roll of a step, whatever was added to its d20. Raises Lacking if it was not understood."""
    found = step.node.get(key)
    roll = read_roll(lines.text(found, "result")) if isinstance(found, dict) else None
    if roll is None:
        raise Lacking("the roll is not on record")
    return roll


def summands(step: WalkedStep) -> tuple[Part, ...]:
    """The summands of what a step deals or gives; of a roll that is no plain sum, what it came to."""
    return _plain(step) or (Part(amount=_came_to(step)),)


def dice_apart(step: WalkedStep) -> list[Event]:
    """The dice of a step whose roll is no plain sum, which no verb rolls."""
    is_sum = step.node.get("type") in ("attack", "save") or _plain(step) is not None
    return [] if is_sum else [event for event in step.events if isinstance(event, DiceRolled)]


def _text(step: WalkedStep) -> str:
    found = step.node.get("amount_roll" if "amount" in step.node else "damage_roll")
    return lines.text(found, "result") if isinstance(found, dict) else ""


def _plain(step: WalkedStep) -> tuple[Part, ...] | None:
    text = _text(step)
    return healing_parts(text) if text.startswith("-") else parts_of(text)


def _came_to(step: WalkedStep) -> int:
    roll = read_roll(_text(step))
    return abs(roll.total if roll is not None else lines.whole(step.node, "damage", 0))


def d20s(roll: Rolled) -> tuple[tuple[int, ...], tuple[Params, ...], int]:
    """The faces of the d20s, the ways to ask for so many, and all that is added to the one that counts."""
    dice = [die for die in roll.dice if die.sides == D20 and die.why != "rerolled"]
    kept = [die.face for die in dice if die.kept]
    if len(kept) != 1 or len(dice) > 2:
        raise Lacking("more dice than one or two d20s")
    if len(dice) == 1:
        eases = ["", "disadvantage", "advantage"]
    else:
        eases = ["", "advantage" if kept[0] == max(die.face for die in dice) else "disadvantage"]
    return tuple(die.face for die in dice), tuple(EASE[ease] for ease in eases), roll.total - kept[0]


def halved(part: Part) -> Part:
    """A summand of a critical hit as it is in a plain one; its faces stay."""
    if len(part.faces) % 2:
        raise Lacking("a critical hit with an odd number of dice")
    return attrs.evolve(part, faces=part.faces[: len(part.faces) // 2])


def kind_of(label: str) -> str:
    """The kind of damage in a label: its last word."""
    return label.rsplit(maxsplit=1)[-1].strip("^").casefold() if label.split() else ""


def written(part: Part) -> str:
    """A summand as it is typed."""
    return f"{len(part.faces)}d{part.sides}" if part.is_dice else str(part.amount)


def weapon_of(parts: Sequence[Part]) -> tuple[str, str, list[str]]:
    """The dice of an attack with the first number added to them; then its kind of damage, and all further damage."""
    first, rest = parts[0], list(parts[1:])
    plus = ""
    if first.is_dice and rest and not rest[0].is_dice:
        plus = f"{rest.pop(0).amount:+d}"
    if any(part.amount < 0 for part in rest):
        raise Lacking("a number that is taken from the damage")
    return (
        written(first),
        plus,
        [kind_of(first.label), *(f"{written(part)} {kind_of(part.label)}".strip() for part in rest)],
    )


def damage_defined(defined: lines.Fields) -> str:
    """The damage of the first attack in the definition of an automation, "" for none."""
    hit, damage = defined.get("hit"), ""
    if defined.get("type") == "attack" and isinstance(hit, list) and hit and isinstance(hit[0], dict):
        return str(hit[0].get("damage", ""))
    effects = defined.get("effects")
    for below in effects if isinstance(effects, list) else ():
        damage = damage or (damage_defined(below) if isinstance(below, dict) else "")
    return damage


def is_below(step: WalkedStep, attack: WalkedStep) -> bool:
    """True for damage that belongs to an attack on the same target."""
    return step.depth > attack.depth and step.node.get("type") == "damage" and step.target is attack.target


def target_of(step: WalkedStep) -> Tracked:
    """The target of a step. Raises Lacking without one, or without hit points."""
    if step.target is None:
        raise Lacking("the target is not in the combat")
    if step.lost is None:
        raise Lacking("the hit points are not on record")
    return step.target


def stands(who: Tracked, lost: int, temporary: int) -> Expected:
    """An outcome after which somebody stands so."""
    return Expected(lost={who.id: lost}, pools={who.id: {TEMPORARY: temporary}})


def standing(step: WalkedStep) -> Expected:
    """An outcome after which the target of a step stands as it did."""
    who = target_of(step)
    return stands(who, step.lost or 0, step.temp)


def points(author: Author, step: WalkedStep) -> Play:
    """Damage, healing or temporary hit points of a step without an attack; what was halved already has no type."""
    who, parts = target_of(step), summands(step)
    faces = tuple(face for part in parts for face in part.faces)
    total = " + ".join(map(written, parts)).replace("+ -", "- ")
    params: Params = {"who": who.id, "amount": total, "source": author.actor.id}
    ways: tuple[Params, ...] = ({},)
    kind, verb = "damage", "harm"
    if "amount" in step.node:
        kind, verb, ways = KINDS["temphp"], "heal", ({"temporary": True},)
    elif lines.whole(step.node, "damage") < 0:
        kind, verb = "healing", "heal"
    elif "drop to 0" in parts[0].label:
        lost = (each.amount for each in step.events if isinstance(each, (events.PoolSpent, events.DamageTaken)))
        params |= {"amount": str(sum(lost))}
    else:
        kinds = (word.strip("^").casefold() for part in parts for word in part.label.split())
        ways = ({"tags": tuple(dict.fromkeys(kinds))}, {})
    return Play(kind=kind, verb=verb, params=params, dice=faces, ways=ways, expected=standing(step))
