"""Catalogues: read when they are asked for, and found by a name as people type it."""

from __future__ import annotations

import pytest

from rollbook.kit import catalogues, data
from rollbook.plugin import NotFound
from rollbook.rulesets.storytoken.magic.spells import Spell
from tests.support.bare_table import joined_events, table_after

SPELLS = catalogues.read_once("rollbook.rulesets.storytoken.magic", "spells.json", Spell)


class Thing(data.Row):
    name: str


THINGS = {key: Thing(key=key, name=name) for key, name in {"basic-poison": "Poison, Basic", "rope": "Rope"}.items()}


def things() -> dict[str, Thing]:
    return THINGS


def test_a_file_is_read_once() -> None:
    assert SPELLS() is SPELLS()
    assert all(key == row.key for key, row in SPELLS().items())


@pytest.mark.parametrize("typed", ["basic-poison", "Poison, Basic", "basic poison", "BASIC POISON"])
def test_a_row_is_known_by_its_key_and_its_name_either_way_round(typed: str) -> None:
    assert catalogues.key_of(things, typed) == "basic-poison"


def test_a_part_of_a_name_will_do_where_it_is_clear() -> None:
    assert catalogues.meant(things, "poi") == "basic-poison"
    assert catalogues.key_of(things, "poi") == ""
    assert catalogues.find("thing", things, "ro") is THINGS["rope"]


def test_of_two_that_begin_alike_neither_is_meant() -> None:
    named = {"long sword": 1, "long bow": 2, "bow": 3}
    assert catalogues.clear(named, "long") is None
    assert catalogues.clear(named, "bow") == 3
    assert catalogues.clear(named, "sword") == 1
    assert catalogues.clear(named, "") is None


def test_what_is_not_there_names_its_nearest() -> None:
    with pytest.raises(NotFound, match="Rope"):
        catalogues.find("thing", things, "rpoe")
    with pytest.raises(NotFound, match="a bow of yew"):
        catalogues.pick("weapon", {"bow": 1}, "a bow of yew wood", shown=["a bow of yew"])
    assert catalogues.pick("weapon", {"bow": 1}, "Bow") == 1


@pytest.mark.parametrize(
    ("typed", "deed", "targets"),
    [
        ("fire breath robin,marian", "fire breath", ("robin", "marian")),
        ("fire breath Marian", "fire breath", ("marian",)),
        ("fire breath", "", ()),
        ("fire robin", "", ()),
        ("fire breath nobody", "", ()),
        ("robin", "", ()),
    ],
)
def test_words_that_name_a_deed_and_its_targets_are_split(typed: str, deed: str, targets: tuple[str, ...]) -> None:
    campaign = table_after(joined_events("robin", "marian")).campaign
    assert catalogues.split_off(campaign, typed, lambda words: words == "fire breath") == (deed, targets)


def test_a_name_that_nobody_knows_has_those_first_that_contain_it() -> None:
    assert "Rope" in str(catalogues.unknown("thing", things, "rop"))
    assert "Poison, Basic" in str(catalogues.unknown("thing", things, "basic"))


@pytest.mark.parametrize(("typed", "slips"), [("Ropee", True), ("Poison, Basik", True), ("Robin", False)])
def test_a_slip_of_the_keyboard_is_told_from_another_name(typed: str, *, slips: bool) -> None:
    assert catalogues.is_slip(things, typed) is slips


@pytest.mark.parametrize(
    ("typed", "many"),
    [("2 ogres", (2, "ogres")), ("ogre x3", (3, "ogre")), ("3 x ogre", (3, "ogre")), ("ogre", (1, "ogre"))],
)
def test_things_are_typed_with_their_number(typed: str, many: tuple[int, str]) -> None:
    assert catalogues.many_of(typed) == many
