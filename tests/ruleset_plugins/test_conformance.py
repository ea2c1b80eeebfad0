"""Every ruleset that comes with rollbook, and the toy of these tests, keeps what every ruleset promises.

A ruleset's suite is made for its entry point. Moves that make sense at the beginning of its evenings stand, as a person would
type them, in ``tests/ruleset_plugins/KEY/opening.evening``.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

from domain.contract import GROUP
from ruleset_plugins.testing import RulesetConformance

HERE = Path(__file__).parent


def opening(key: str) -> tuple[str, ...]:
    file = HERE / key / "opening.evening"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


def suite(key: str) -> type[RulesetConformance]:
    return type(f"Test{key.capitalize()}", (RulesetConformance,), {"ruleset": key, "examples": opening(key)})


OURS = sorted({point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "rollbook"})
globals().update({made.__name__: made for made in map(suite, OURS)})


def test_the_rulesets_that_come_with_rollbook_are_tried_out() -> None:
    assert "storytoken" in OURS
    assert all(f"Test{key.capitalize()}" in globals() for key in OURS)


class TestToy(RulesetConformance):
    ruleset = "tests.toy:TOY"
    examples = (
        "join Robin --stats max_hp=12,skill=3",
        "join Marian --stats max_hp=9,skill=4",
        "join Guard --kind npc --stats max_hp=7,skill=1",
        "fight robin,marian,guard",
        "next-turn",
        "attack robin guard --weapon sword",
    )
