"""The first files of a ruleset of one's own: a package that is installed, tested and played as it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Final

from rollbook.domain.base.errors import Refused
from rollbook.domain.state.lookup import slug

PYPROJECT = Template("""\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "rollbook-$key"
version = "0.1.0"
description = "$title, a game for rollbook."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["rollbook>=0.1"]

[project.optional-dependencies]
test = ["pytest>=9", "hypothesis>=6.140"]

[project.entry-points."rollbook.rulesets"]
$key = "$package:RULESET" # campaigns store this name, so it never changes

[tool.hatch.build.targets.wheel]
packages = ["$package"]
""")

PACKAGE = Template('''\
"""$title: what it is like, in a sentence."""

from rollbook.plugin import Ruleset

from $package.rules import Check
from $package.sheet import sheet

RULESET = Ruleset(
    key="$key",
    title="$title",
    version="1",
    summary="What it is like, in a sentence.",
    actions=(Check,),
    sheet=sheet,
)
''')

RULES = Template('''\
"""The verbs of $title."""

from rollbook.kit import require
from rollbook.plugin import Action, Table, character, events, number


class Check(Action, verb="check"):
    """Try something: 2d6 and the character's edge against a number."""

    who: str = character("who tries", actor=True)
    target: int = number("what it takes", default=8, minimum=2, maximum=20)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        roll = table.roll("2d6 + @edge[edge]", roller=who.id, purpose="check", edge=who.stats.get("edge", 0))
        success = roll.total >= self.target
        table.record(
            events.CheckResolved(character=who.id, check="edge", total=roll.total, target=self.target, success=success)
        )
''')

SHEET = Template('''\
"""What a sheet of $title shows. Each value names the terms that it is the sum of."""

from rollbook.plugin import CampaignState, Character, Sheet, Term, Value, summed


def sheet(who: Character, campaign: CampaignState) -> Sheet:  # noqa: ARG001 - others read the campaign
    """Edge and hit points."""
    most = who.stats.get("max_hp", 0)
    terms = (Term(most, "maximum", path="stat.max_hp"), Term(-who.lost, "lost", path="lost"))
    edge = (Term(who.stats.get("edge", 0), "edge", path="stat.edge"),)
    values = (
        summed("edge", "Edge", edge, signed=True),
        Value("hp", "Hit points", most - who.lost, f"{most - who.lost} of {most}", terms),
    )
    return Sheet(character=who.id, name=who.name, values=values)
''')

TESTS = Template('''\
"""$title, rule by rule, and then played and corrected at random."""

from rollbook.plugin import events
from rollbook.testing.conformance.suite import RulesetConformance
from rollbook.testing.scenarios import like, scenario

from $package import RULESET
from $package.rules import Check

ADA = (
    events.CharacterJoined(character="ada", name="Ada"),
    events.StatChanged(character="ada", stat="edge", amount=2),
    events.StatChanged(character="ada", stat="max_hp", amount=6),
)


def test_a_check_is_two_dice_and_the_edge() -> None:
    scene = scenario(RULESET).given(ADA)
    scene.when(Check(who="ada", target=9)).rolling(3, 4).then(like(events.CheckResolved, total=9, success=True))


def test_one_less_is_a_failure() -> None:
    scene = scenario(RULESET).given(ADA)
    scene.when(Check(who="ada", target=9)).rolling(3, 3).then(like(events.CheckResolved, total=8, success=False))


class Test$test(RulesetConformance):
    ruleset = "$key"
    examples = ("join Ada --stats edge=2,max_hp=6", "check ada", "check ada --target 12")
''')

README = Template("""\
# $title

A game for rollbook.

```sh
python -m pip install -e '.[test]'
python -m pytest
rollbook new "The first evening" --ruleset $key
rollbook do join Ada --stats edge=2,max_hp=6
rollbook do check ada --target 9 --dice 4,3
rollbook odds check ada --target 9
```

| verb | what it does |
| --- | --- |
| `check` | 2d6 and the edge against a number |

`rollbook help write-a-ruleset` says what else a game may have.
""")

FILES: Final[Mapping[str, Template]] = {
    "pyproject.toml": PYPROJECT,
    "README.md": README,
    "$package/__init__.py": PACKAGE,
    "$package/rules.py": RULES,
    "$package/sheet.py": SHEET,
    "tests/test_$package.py": TESTS,
}
"""Each file and what is in it."""

LONGEST_KEY = 40


def start_ruleset(name: str, folder: Path, taken: Collection[str] = ()) -> list[Path]:
    """Write the files of a new ruleset into a folder that is new or empty, all of them or none. Returns their paths.

    Raises Refused for a name that makes no key, for a key that is ``taken``, and for a folder that holds anything.
    """
    words = _words(name)
    if words["key"] in taken:
        raise Refused(f"A game with the key {words['key']} is installed already. Choose another name.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} holds something already. Name a folder that does not exist yet.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    places = [Template(place).substitute(words) for place in FILES]
    with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
        made = Path(beside) / folder.name
        for place, text in zip(places, FILES.values(), strict=True):
            path = made / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.substitute(words), encoding="utf-8")
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    return [folder / place for place in places]


def _words(name: str) -> Mapping[str, str]:
    """The words for the placeholders of the files. Raises Refused."""
    title = " ".join(name.split())
    if not re.fullmatch(r"[\w '.,!?-]+", title):
        raise Refused(f"{title!r} cannot be the name of a game. Use letters, numbers, spaces and plain punctuation.")
    key = slug(title)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", key) or len(key) > LONGEST_KEY:
        raise Refused(
            f"{title!r} makes no key. Begin with a letter of a to z, and use at most {LONGEST_KEY} characters."
        )
    test = "".join(part.capitalize() for part in key.split("-"))
    return {"title": title, "key": key, "package": f"rollbook_{key.replace('-', '_')}", "test": test}
