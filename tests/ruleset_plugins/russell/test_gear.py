"""What a thing is taken for follows from its use, then its name; counters are read back as they were named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit.counters import count, counted, counter
from rollbook.rulesets.russell.gear import thing, treasure
from rollbook.testing.scenarios import rule
from tests.support.gear import typed_use


@rule("R3.35", "R3.95")
@pytest.mark.parametrize(
    ("item", "use", "key", "sort", "dice", "number"),
    [
        ("torch", "", "torch", "", "", 0),
        ("cleaver", "weapon:melee:1d8", "", "weapon", "1d8", 0),
        ("brand", "weapon:torch", "torch", "weapon", "", 0),
        ("arrows", "usage:d8", "", "usage", "d8", 0),
        ("statue", "large:3", "large", "large", "", 3),
        ("idol", "treasure:500", "", "treasure", "", 500),
        ("ruby", "treasure:gem:50000", "gem", "treasure", "", 50_000),
        ("idol", "treasure:9999999999999", "", "treasure", "", 0),
        pytest.param("anything", ":::", "", "", "", 0, id="separators"),
    ],
)
def test_a_use_is_taken_apart_in_one_place(item: str, use: str, key: str, sort: str, dice: str, number: int) -> None:
    found = thing(item, tuple(use.split(":")))
    assert thing(item, typed_use(use)) == found
    assert (found.row.key, found.sort, found.dice, found.number) == (key, sort, dice, number)


@rule("R3.102")
def test_treasure_says_what_it_is_worth_and_gems_are_tiny() -> None:
    assert thing("work of art", treasure(22_000)).worth == 22_000
    gem = thing("a stone of no name", treasure(120_000, gem=True))
    assert (gem.worth, gem.row.tiny) == (120_000, True)
    assert thing("large", ("large", "3")).worth == 0


@given(what=st.text(st.characters(exclude_characters=":"), min_size=1), of=st.text(min_size=1), many=st.integers(1, 99))
def test_a_counter_is_read_back_as_it_was_named(what: str, of: str, many: int) -> None:
    pools = {counter(what, of): many, "tired": 2, counter(what, of + "?"): 0}
    assert count(pools, what, of) == many
    assert list(counted(pools, what)) == [(of, many)]
