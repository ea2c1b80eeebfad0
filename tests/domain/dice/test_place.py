"""A place in the streams is a value; its text is read and written in one place."""

from __future__ import annotations

import pytest

from domain.dice.ledger import DiceLedger, granted_places, told_counts
from domain.dice.place import StreamCounter, StreamPlace, read_counter, read_place
from domain.events import FreshDiceGranted, SessionClosed


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("0/0/0/0", StreamPlace(screen=False, fork=0, seat=0, number=0)),
        ("1/0/12/345", StreamPlace(screen=True, fork=0, seat=12, number=345)),
        ("0/3/1/2", StreamPlace(screen=False, fork=3, seat=1, number=2)),
    ],
)
def test_a_place_is_written_as_histories_hold_it_and_read_again(text: str, place: StreamPlace) -> None:
    assert str(place) == f"{place}" == text
    assert read_place(text) == place
    assert place.counter.place(place.number) == place
    assert read_counter(str(place.counter)) == place.counter == StreamCounter(*place[:3])


@pytest.mark.parametrize(
    "text", ["", "0/0/0", "0/0/0/0/0", "2/0/0/0", "-1/0/0/0", "0/0/0/x", "0/0/0/-1", "0/0/0/01", "0/0/٣/0", "0/0/ 1/0"]
)
def test_what_is_not_a_place_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - what is wrong with it, nobody is shown
        read_place(text)


def test_a_history_that_names_no_place_can_still_be_folded() -> None:
    granted = FreshDiceGranted(session=1, places=("nonsense", "1/0/0/7", ""), why="so")
    assert granted_places(granted) == (StreamPlace(screen=True, fork=0, seat=0, number=7),)
    DiceLedger(1).rolled([granted])
    with pytest.raises(ValueError, match="not enough values"):
        told_counts(SessionClosed(session=1, counts={"nonsense": 1}))
