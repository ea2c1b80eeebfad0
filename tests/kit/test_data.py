"""A data file that is wrong is refused by file, row and field."""

from __future__ import annotations

import attrs
import pytest

from rollbook.kit import data
from rollbook.plugin import RulesetBroken
from rollbook.rulesets.storytoken.character.roles import CharacterRole
from rollbook.rulesets.storytoken.fight.arms import RangeBand

GOOD = '{"key": "melee", "name": "Melee", "words": "close", "rule": "R0.89", "feet": 6}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense", r"ranges\.json is not JSON"),
        ("{}", r"ranges\.json is not a list of rows"),
        (f"[{GOOD}, {GOOD}]", r"has the key melee more than once"),
        (f"[{GOOD}, 7]", r"ranges\.json, row 2"),
        (GOOD.replace("6", '"far"').join("[]"), r"(?s)ranges\.json, row 1.*feet"),
        (GOOD.replace("feet", "metres").join("[]"), r"(?s)row 1.*metres"),
        ('[{"key": "melee"}]', r"(?s)row 1.*name"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(RulesetBroken, match=said):
        data.parse("ranges.json", text, RangeBand)


def test_a_row_is_a_frozen_class_with_a_key_and_no_decorator() -> None:
    bands = data.by_key("rollbook.rulesets.storytoken.fight", "ranges.json", RangeBand)
    assert all(key == band.key for key, band in bands.items())
    assert bands["melee"] == attrs.evolve(bands["melee"])
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(bands["melee"], "feet", 7)  # noqa: B010 - mypy would not let it through otherwise


def test_a_formula_that_nobody_knows_is_refused() -> None:
    row = '[{"key": "a", "name": "A", "rule": "R0.1", "words": "", "to_hit": "L*2"}]'
    with pytest.raises(RulesetBroken, match=r"(?s)roles\.json, row 1.*to_hit"):
        data.parse("roles.json", row, CharacterRole)
