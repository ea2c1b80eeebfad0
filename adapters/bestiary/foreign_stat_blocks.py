"""Stat blocks in files of other programs: an actor that Foundry exported (JSON), and a stat block in Markdown.

The values are read by meaning (hit points, armour class, abilities); each game declares which of its options take
which, and the values that none takes are named.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import attrs

from rollbook.adapters.imports.bounded import MIB, Bounds, json_of, read_text
from rollbook.adapters.imports.foundry.actors import kind_of, numbers_of, system_of
from rollbook.adapters.imports.foundry.values import Fields, each, fields, inside, name, whole
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
ENDINGS = (".json", ".md", ".markdown")
OUTCOME = "Nobody joined."
BOUNDS = Bounds(size=16 * MIB, line=16 * MIB, lines=200_000)
FEET, METRES = "feet", "metres"
METRES_A_FOOT = 0.3
_MOST_NAMED = 12

_LEAD = re.compile(r"^[>\s]*(?:[-*+]\s+)?")
"""The marks in front of a line of a quotation or a list."""
_TITLE = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
_LABELLED = re.compile(
    r"\b(armou?r class|ac|hit points|hp|speed|initiative)\b\W{0,8}?([+-]?[0-9]{1,6})\b", re.IGNORECASE
)
_NAMED = re.compile(r"^name:\s*(\S.*)$", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,3}")
_SCORE = re.compile(r"\b(STR|DEX|CON|INT|WIS|CHA)\b\W{0,8}([0-9]{1,3})\b", re.IGNORECASE)
_TO_HIT = re.compile(r"([+-][0-9]{1,3})\s+to\s+hit", re.IGNORECASE)
_MEANINGS = {
    "armor class": "ac", "armour class": "ac", "ac": "ac", "hit points": "hp", "hp": "hp", "speed": "speed",
    "initiative": "initiative",
}  # fmt: skip
_SPEED = (
    ("attributes", "movement", "walk"), ("attributes", "speed", "value"), ("attributes", "speed", "total"), ("speed", "value"),
)  # fmt: skip
_TRAIT = re.compile(r"^\*{2,3}([^*]{2,60}?)\.?\*{2,3}")


@attrs.frozen(kw_only=True)
class StatBlock(Record):
    """A character's values in a file. ``numbers`` are hp, ac, speed (feet), attack and initiative, if given.

    ``scores`` are STR to CHA, or empty. ``others`` names the values whose meaning is not known here.
    """

    name: str
    kind: CharacterKind = CharacterKind.MONSTER
    numbers: Mapping[str, int] = attrs.field(factory=dict)
    scores: tuple[int, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def modifiers(self) -> tuple[int, ...]:
        """The scores' bonuses to a d20 roll."""
        return tuple((score - 10) // 2 for score in self.scores)


def is_named(text: str) -> bool:
    """True if a text has the ending of a file with a stat block."""
    return text.casefold().endswith(ENDINGS)


def read_stat_block(path: Path) -> StatBlock:
    """The stat block in a file. Raises NotFound, or RollbookError for a file in which there is none."""
    if not path.exists():
        raise NotFound(f"There is no file {path}. {OUTCOME}")
    text = read_text(path, OUTCOME, BOUNDS)
    return _actor(path, text) if path.suffix.casefold() == ".json" else _markdown(path, text)


def _actor(path: Path, text: str) -> StatBlock:
    actor = fields(json_of(text, path, OUTCOME))
    if not name(actor.get("name")) or not system_of(actor):
        raise RollbookError(f"{path} is not an actor that Foundry exported. {OUTCOME}")
    found = numbers_of(actor)
    stats = dict(found.stats)
    scores = tuple(stats.pop(ability, 0) for ability in ABILITIES)
    numbers = {"hp": stats.pop("max_hp", 0), "ac": stats.pop("ac", 0), "speed": _speed(actor)}
    kind = kind_of(actor)
    rest = (f"{stat} {amount}" for stat, amount in stats.items())
    things = (name(fields(item).get("name")) for item in each(actor.get("items")))
    others = (*rest, *([f"level {found.level}"] if found.level else []), *filter(None, things))
    return StatBlock(
        name=name(actor.get("name")),
        kind=CharacterKind.MONSTER if kind is CharacterKind.NPC else kind,
        numbers={meaning: amount for meaning, amount in numbers.items() if amount},
        scores=scores if all(scores) else (),
        others=others,
    )


def _speed(actor: Fields) -> int:
    """Walking speed in feet, 0 if none is given."""
    system = system_of(actor)
    found = (inside(system, *path) for path in _SPEED)
    return next((feet for said in found if (feet := whole(str(said).split()[0] if str(said).split() else None))), 0)


# Markdown.


def _markdown(path: Path, text: str) -> StatBlock:
    lines = [_LEAD.sub("", line.strip()) for line in text.splitlines()]
    called = next((name(_plain(found[1])) for line in lines if (found := _TITLE.match(line))), "")
    numbers: dict[str, int] = {}
    others: list[str] = []
    for line in lines:
        called = called or name(_plain((_NAMED.match(line) or ["", ""])[1]))
        for label, amount in _LABELLED.findall(line):
            numbers.setdefault(_MEANINGS[label.casefold()], int(amount))
        trait = _TRAIT.match(line)
        if trait is not None and trait[1].strip().casefold() not in _MEANINGS:
            others.append(name(trait[1]))
    scores = _scores(lines)
    if (hit := _TO_HIT.search(text)) is not None:
        numbers.setdefault("attack", int(hit[1]))
    if not numbers.get("hp") and not numbers.get("ac"):
        raise RollbookError(
            f"{path} holds no stat block: no line of it is hit points or an armour class, as in **Armor Class** 15. {OUTCOME}"
        )
    return StatBlock(name=called or name(path.stem), numbers=numbers, scores=scores, others=tuple(filter(None, others)))


def _plain(text: str) -> str:
    return re.sub(r"[*_`\[\]]+", "", text).strip()


def _scores(lines: list[str]) -> tuple[int, ...]:
    """STR to CHA: in a table below their names, as a list (``stats: [8, 14, …]``), or each behind its name."""
    for place, line in enumerate(lines):
        heads = [cell.strip(" *").casefold() for cell in line.strip("|").split("|")]
        if [head[:3] for head in heads] == list(ABILITIES):
            for later in lines[place + 1 : place + 3]:
                row = [_NUMBER.search(cell) for cell in later.strip("|").split("|")]
                if len(row) == len(ABILITIES) and all(row):
                    return tuple(int(cell[0]) for cell in row if cell is not None)
        if line.casefold().startswith("stats:") and len(scores := _NUMBER.findall(line)) == len(ABILITIES):
            return tuple(map(int, scores))
    found = {ability.casefold(): int(score) for line in lines for ability, score in _SCORE.findall(line)}
    return tuple(found[ability] for ability in ABILITIES) if len(found) == len(ABILITIES) else ()


# For a game.


def options_of(
    block: StatBlock, takes: Mapping[str, str], units: Mapping[str, str]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """The values that a game takes from a stat block, by its options, and the values that it cannot use.

    ``takes`` gives the meaning that each option takes ("stats.initiative" is an amount among the stats, "scores:str con
    dex" scores in an order of its own), ``units`` the unit in which it is entered. The bonus to hit is for no game to
    take: a game works it out from the scores, and would count them twice.
    """
    meant: dict[str, object] = {**block.numbers}
    if block.scores:
        for meaning, values in (("scores", block.scores), ("modifiers", block.modifiers)):
            meant[meaning] = dict(zip(ABILITIES, values, strict=True))
    options: dict[str, object] = {"kind": block.kind.value}
    used: set[str] = set()
    for option, said in takes.items():
        meaning, _, order = said.partition(":")
        if meaning not in meant:
            continue
        value = meant[meaning]
        if isinstance(value, dict):
            value = [str(value[ability]) for ability in (order.split() or ABILITIES)]
        elif isinstance(value, int) and meaning == "speed" and units.get(option) == METRES:
            value = round(value * METRES_A_FOOT)
        used |= {"scores", "modifiers"} if meaning in ("scores", "modifiers") else {meaning}
        group, _, inner = option.partition(".")
        if inner:
            options[group] = {**fields(options.get(group)), inner: value}
        else:
            options[option] = value
    unused = [f"{meaning} {amount}" for meaning, amount in block.numbers.items() if meaning not in used]
    if block.scores and "scores" not in used:
        unused += [f"{ability} {score}" for ability, score in zip(ABILITIES, block.scores, strict=True)]
    return options, (*unused, *block.others)


def unused_line(block: StatBlock, game: str, unused: tuple[str, ...]) -> str:
    """The sentence that names what a game cannot use."""
    more = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
    return f"{game} has no use for this of {block.name}: {', '.join(unused[:_MOST_NAMED])}{more}."
