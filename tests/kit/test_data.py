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


class Effect(data.Kinds):
    """What a row does, by its kind."""


class Bonus(Effect, kind="bonus"):
    """So much more."""

    by: int


class Twice(Effect, kind="twice"):
    """Others, done twice."""

    do: tuple[Effect, ...]


class Trick(data.Row):
    """A row with effects."""

    effects: tuple[Effect, ...]


def test_values_are_read_as_the_kinds_that_they_name() -> None:
    row = '[{"key": "a", "effects": [{"kind": "twice", "do": [{"kind": "bonus", "by": 2}]}]}]'
    assert data.parse("tricks.json", row, Trick)[0].effects == (Twice(do=(Bonus(by=2),)),)
    assert {"bonus": Bonus, "twice": Twice} == Effect.KINDS and Bonus(by=1).kind == "bonus"


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ('{"kind": "malus", "by": 2}', r"row 1: there is no kind 'malus' of Effect in the field effects\[0\]"),
        ('{"by": 2}', r"row 1: there is no kind None of Effect"),
        ("7", r"row 1: there is no kind None of Effect"),
        ('{"kind": "bonus"}', r"row 1: .*`by`"),
        ('{"kind": "bonus", "by": "two"}', r"row 1: Expected `int`, got `str`"),
        ('{"kind": "bonus", "by": 2, "to": 3}', r"row 1: there is no field to"),
        ('{"kind": "twice", "do": [{"kind": "bonus", "by": 2, "to": 3}]}', r"row 1: there is no field to"),
    ],
)
def test_a_value_of_a_wrong_kind_or_with_wrong_fields_is_named(effect: str, said: str) -> None:
    with pytest.raises(RulesetBroken, match=f"tricks.json, {said}"):
        data.parse("tricks.json", f'[{{"key": "a", "effects": [{effect}]}}]', Trick)


class Box(data.Frozen):
    name: str
    inside: tuple[data.Frozen, ...] = ()


BOXES = (Box(name="red", inside=(Box(name="blue"), Box(name="green", inside=(Box(name="blue"),)))),)


@pytest.mark.parametrize(
    ("path", "name"), [("0/name", "red"), ("0/inside/1/inside/0/name", "blue"), ("0/inside/2", None), ("0/lid", None)]
)
def test_a_path_leads_to_a_part_or_nowhere(path: str, name: str | None) -> None:
    assert data.at(BOXES, path) == name


def test_a_change_reaches_all_values_inside_and_may_leave_some_out() -> None:
    louder = data.changed(BOXES[0], lambda box: {"name": box.name.upper()}, lambda box: box.name != "green")  # type: ignore[attr-defined]
    assert louder == Box(name="RED", inside=(Box(name="BLUE"),))
    assert data.changed(BOXES[0], lambda _: {}) == BOXES[0]
