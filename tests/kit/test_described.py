"""Types that are described as data are read like any other."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.kit import data, described

TYPES = """{
"Part": {"doc": "A part.", "more": "Of a thing.", "needs": {"name": "str"}, "may": {"many": "int", "worth": "float"},
    "usual": {"many": 1}},
"Rope": {"like": "Part", "needs": {"feet": "int"}, "may": {"of": "tuple[Part, ...]", "note": "str | None", "wet": "bool"}},
"Chest": {"like": "Row", "may": {"holds": "Mapping[str, int]", "does": "tuple[Spell, ...]"}},
"Light": {"kind": "light", "needs": {"feet": "int"}, "may": {"lasts": "str"}}
}"""


class Spell(data.Kinds):
    """What a thing does."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The types, made in a module of their own."""
    monkeypatch.setattr(data, "text", lambda *_: TYPES)
    space: dict[str, Any] = {"__name__": __name__, "__package__": "tests"}
    described.describe(space, "types.json", of_kinds=Spell, bases={"Row": data.Row})
    return space


def test_fields_that_are_not_given_are_as_usual_or_empty(made: dict[str, Any]) -> None:
    part = made["Part"](name="hook")
    assert (part.many, part.worth) == (1, 0.0)
    assert part.__doc__ == "A part.\n\nOf a thing."
    assert made["Light"](feet=20).lasts == ""
    with pytest.raises(TypeError, match="name"):
        made["Part"]()


def test_a_type_has_the_fields_of_what_it_is_like(made: dict[str, Any]) -> None:
    rope = made["Rope"](name="rope", feet=50)
    assert (rope.many, rope.of, rope.note, rope.wet) == (1, (), None, False)
    assert issubclass(made["Rope"], made["Part"]) and issubclass(made["Part"], data.Frozen)
    chest = made["Chest"](key="oak")
    assert chest.holds == {} and chest.holds is not made["Chest"](key="elm").holds
    assert issubclass(made["Chest"], data.Row)


def test_a_kind_is_one_of_its_family(made: dict[str, Any]) -> None:
    assert Spell.KINDS["light"] is made["Light"]
    assert issubclass(made["Light"], Spell) and made["Light"].kind == "light"
