"""What commands print with --json comes from one converter: chances, events, words and lists have one form each."""

from __future__ import annotations

import json
from enum import StrEnum
from fractions import Fraction

import attrs

from rollbook.adapters.line_commands.json import dumps, json_shape, merged, plain
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.events import DamageTaken


class Colour(StrEnum):
    RED = "red"


@attrs.frozen
class Inner:
    colour: Colour
    names: frozenset[str]


@attrs.frozen
class Outer:
    inner: Inner
    chance: Fraction
    hidden: int = 0


json_shape(Outer, "*inner", "*chance", twice=lambda outer: outer.chance * 2)


def test_a_class_is_written_as_its_view_declares_it() -> None:
    outer = Outer(Inner(Colour.RED, frozenset({"b", "a"})), Fraction(1, 4), 9)
    told = {"colour": "red", "names": ["a", "b"], "chance": "1/4", "percent": 25.0}
    assert json.loads(dumps((outer,))) == [told | {"twice": {"chance": "1/2", "percent": 50.0}}]
    assert merged(outer.inner, more=[outer.inner])["more"] == [plain(outer.inner)]


def test_events_and_distributions_have_one_form() -> None:
    event = json.loads(dumps([DamageTaken(character="robin", amount=2, dealt=3)]))
    assert event == [{"event": "DamageTaken", "character": "robin", "amount": 2, "dealt": 3, "source": "", "tags": []}]
    coin = plain(Distribution({1: 1, 2: 1}))
    assert (coin["mean"], coin["average"], coin["totals"][0]["percent"]) == ("3/2", 1.5, 50.0)
