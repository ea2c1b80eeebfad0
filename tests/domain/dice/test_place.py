"""A place in the streams is a value, and so is a count of rolls."""

from __future__ import annotations

import msgspec
import pytest

from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.dice.record import RollCount, StreamCounter, StreamPlace
from rollbook.domain.events import FreshDiceGranted


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[false,0,0,0]", StreamPlace(screen=False, fork=0, seat=0, number=0)),
        ("[true,0,12,345]", StreamPlace(screen=True, fork=0, seat=12, number=345)),
        ("[false,3,1,2]", StreamPlace(screen=False, fork=3, seat=1, number=2)),
    ],
)
def test_a_place_is_written_as_histories_hold_it_and_read_again(text: str, place: StreamPlace) -> None:
    assert msgspec.json.encode(place).decode() == text
    assert msgspec.json.decode(text, type=StreamPlace) == place
    assert place.counter.place(place.number) == place
    count = msgspec.json.decode(text, type=RollCount)
    assert count == RollCount(*place[:3], rolls=place.number)
    assert count.counter == place.counter == StreamCounter(*place[:3])


@pytest.mark.parametrize(
    "text",
    [
        '"0/0/0/0"',
        "[]",
        "[false,0,0]",
        "[false,0,0,0,0]",
        "[2,0,0,0]",
        "[false,0,0,null]",
        '[false,0,0,"0"]',
        "[false,0,0,0.5]",
    ],
)
def test_what_is_not_a_place_is_not_read_as_one(text: str) -> None:
    for kind in (StreamPlace, RollCount):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(text, type=kind)


def test_a_grant_of_what_never_fell_changes_nothing() -> None:
    granted = FreshDiceGranted(session=1, places=(StreamPlace(screen=True, fork=0, seat=-1, number=7),), why="so")
    ledger = DiceLedger(1)
    ledger.rolled([granted])
    assert ledger == DiceLedger(1)
