"""Reader of rolls as the Avrae bot writes them: ``2d20kh1 (**17**, ~~4~~) + 5 [slashing] = `22```.

Bold marks the lowest and the highest face, struck faces do not count, ``!`` exploded, ``1 -> 2`` was raised. Numbers
beside the dice are listed only where the roll is a plain sum; otherwise they are in the expression alone.
"""

import re

import attrs

from rollbook.adapters.imports.course import ImportedRoll
from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import Die, Flat

NUMBER = r"[0-9]{1,9}"
RESULT = re.compile(rf"^(?P<roll>.*?) = `(?P<total>-?{NUMBER})`$", re.DOTALL)
DICE = re.compile(rf"(?P<count>[0-9]{{0,4}})d(?P<sides>{NUMBER}|%)(?P<how>[a-z0-9<>=]*) \((?P<faces>[^()]*)\)")
FACE = re.compile(rf"^(?P<face>{NUMBER})(?: -> (?P<later>{NUMBER}(?: -> {NUMBER})*))?(?P<burst>!?)$")
HEALED = re.compile(rf"-(?P<whole>(?:\((?P<inner>.*)\)(?P<label>[^()]*)|.*)) = `-(?P<total>{NUMBER})`", re.DOTALL)
LABEL = re.compile(r"\[([^\]]*)\]")
SUM = re.compile(rf"\s*(?P<sign>[+-]?)\s*(?:(?P<dice>#)|(?P<number>{NUMBER}))\s*(?P<labels>(?:\[[^\]]*\]\s*)*)")
REROLLS = re.compile(r"r[roa]")
KEEPS = re.compile(r"[kp][hl<>=0-9]")


@attrs.frozen
class RecordedRoll(ImportedRoll):
    """A roll of the bot's. ``labels`` are its kinds of damage."""

    labels: tuple[str, ...] = ()
    is_plain_sum: bool = False

    @property
    def adds_up(self) -> bool:
        """True unless this is a plain sum whose dice and numbers do not add up to the recorded total."""
        terms = sum(die.value for die in self.dice) + sum(flat.amount for flat in self.flat)
        return not self.is_plain_sum or terms == self.total


def read_roll(text: str) -> RecordedRoll | None:
    """The roll with its result in ``text``; None if it is not written as Avrae writes one."""
    found = RESULT.match(text.strip())
    if found is None:
        return None
    dice = _dice(found["roll"])
    if dice is None:
        return None
    flat = _flat(DICE.sub("#", found["roll"]))
    asked = DICE.sub(lambda dice: f"{dice['count']}d{dice['sides']}{dice['how']}", found["roll"])
    labels = (label.strip("^ ") for label in LABEL.findall(found["roll"]))
    return RecordedRoll(
        expression=" ".join(asked.replace("~~", "").replace("*", "").split()),
        total=int(found["total"]),
        dice=dice,
        flat=flat or (),
        labels=tuple(dict.fromkeys(filter(None, labels))),
        is_plain_sum=flat is not None,
    )


def find_rolls(text: str) -> tuple[RecordedRoll, ...]:
    """Every roll with its result in a text of several lines; a bold heading before one is ignored."""
    lines = (re.sub(r"^\s*\*\*[^*`]+\*\*:\s*", "", line).split(";")[0] for line in text.splitlines())
    return tuple(roll for line in lines if (roll := read_roll(line)) is not None)


def _dice(text: str) -> tuple[Die, ...] | None:
    dice: list[Die] = []
    for term, found in enumerate(DICE.finditer(text)):
        before = text[: found.start()]
        struck = before.count("~~") - sum(one["faces"].count("~~") for one in DICE.finditer(before))
        handful = _handful(found, term, len(dice), dropped=struck % 2 == 1)
        if handful is None:
            return None
        dice += handful
    return tuple(dice)


def _handful(found: re.Match[str], term: int, place: int, *, dropped: bool) -> list[Die] | None:
    """The dice of one term. A struck die was rerolled if the term rerolls and keeps or drops nothing."""
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    rerolls = bool(REROLLS.search(found["how"])) and not KEEPS.search(found["how"])
    dice: list[Die] = []
    why, cause = "", -1
    for shown in found["faces"].split(", "):
        struck = "~~" in shown
        face = FACE.match(shown.replace("~~", "").replace("**", "").strip())
        if face is None:
            return None
        counts_as = int(face["later"].split(" -> ")[-1]) if face["later"] else 0
        lost = "rerolled" if rerolls and struck else "dropped" if struck or dropped else ""
        dice.append(
            Die(sides, int(face["face"]), kept=not lost, why=lost or why, counts_as=counts_as, term=term, cause=cause)
        )
        why, cause = "", -1
        if lost == "rerolled" or face["burst"]:
            why, cause = ("replacement" if lost == "rerolled" else "exploded"), place + len(dice) - 1
    return dice


def _flat(bare: str) -> tuple[Flat, ...] | None:
    """The numbers of a plain sum of dice (each a ``#``) and numbers; None if it is more than a plain sum."""
    flat: list[Flat] = []
    at = 0
    while at < len(bare):
        found = SUM.match(bare, at)
        if found is None or (at > 0 and not found["sign"]) or (found["dice"] and found["sign"] == "-"):
            return None
        if found["number"]:
            label = " ".join(LABEL.findall(found["labels"])).strip("^ ")
            flat.append(Flat(int(found["sign"] + found["number"]), label))
        at = found.end()
    return tuple(flat)


@attrs.frozen
class Part(Record):
    """One summand of a roll: dice of one size as they fell, or a number; ``label`` is the kind of damage it is of."""

    faces: tuple[int, ...] = ()
    sides: int = 0
    amount: int = 0
    label: str = ""

    @property
    def is_dice(self) -> bool:
        return self.sides > 0


def parts_of(text: str) -> tuple[Part, ...] | None:
    """The summands of a roll that is a plain sum, with the dice that count; None for any other.

    A kind of damage is written behind the last of its summands.
    """
    found, roll = RESULT.match(text.strip()), read_roll(text)
    if found is None or roll is None or not roll.is_plain_sum or any(die.counts_as for die in roll.dice):
        return None
    bare, parts, term, label = DICE.sub("#", found["roll"]), list[Part](), 0, ""
    for summand in SUM.finditer(bare):
        written = " ".join(LABEL.findall(summand["labels"])).strip("^ ")
        if summand["dice"]:
            dice = [die for die in roll.dice if die.term == term]
            term += 1
            parts.append(Part(tuple(die.face for die in dice if die.kept), dice[0].sides if dice else 0, label=written))
        else:
            parts.append(Part(amount=int(summand["sign"] + summand["number"]), label=written))
    for place in reversed(range(len(parts))):
        label = parts[place].label or label
        parts[place] = attrs.evolve(parts[place], label=label)
    return tuple(parts) if sum(sum(part.faces) + part.amount for part in parts) == roll.total else None


def healing_parts(text: str) -> tuple[Part, ...] | None:
    """The summands of healing, which is written as damage below zero; None if it is no plain sum."""
    found = HEALED.fullmatch(text.strip())
    if found is None:
        return None
    tries = (found["whole"], f"{found['inner'] or ''}{found['label'] or ''}")
    return next((parts for each in tries if (parts := parts_of(f"{each} = `{found['total']}`"))), None)
