"""Every ruleset that comes with rollbook, and the toy of these tests, keeps what every ruleset promises.

A ruleset's suite is made for its entry point. Moves that make sense at its beginning are, as a person would type them,
in ``tests/ruleset_plugins/KEY/opening.session``; a ruleset with more to say has a ``test_conformance.py`` there.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from rollbook.domain.base.identifiers import GROUP
from rollbook.testing.conformance.suite import RulesetConformance

HERE = Path(__file__).parent


def opening(key: str) -> tuple[str, ...]:
    file = HERE / key / "opening.session"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


def suite(key: str) -> type[RulesetConformance]:
    return type(f"Test{key.capitalize()}", (RulesetConformance,), {"ruleset": key, "examples": opening(key)})


OURS = sorted({point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "rollbook"})
THEIR_OWN = {key for key in OURS if (HERE / key / "test_conformance.py").exists()}
globals().update({made.__name__: made for made in map(suite, sorted({*OURS} - THEIR_OWN))})


@pytest.mark.parametrize("key", OURS)
def test_every_ruleset_that_comes_with_rollbook_is_tried_out(key: str) -> None:
    if key in THEIR_OWN:
        source = (HERE / key / "test_conformance.py").read_text(encoding="utf-8")
        assert "(RulesetConformance)" in source
        assert f'ruleset = "{key}"' in source
    else:
        assert issubclass(globals()[f"Test{key.capitalize()}"], RulesetConformance)


class TestToy(RulesetConformance):
    ruleset = "tests.support.toy:TOY"
    examples = (
        "join Robin --stats max_hp=12,skill=3",
        "join Marian --stats max_hp=9,skill=4",
        "join Guard --kind npc --stats max_hp=7,skill=1",
        "fight robin,marian,guard",
        "next-turn",
        "attack robin guard --weapon sword",
    )
