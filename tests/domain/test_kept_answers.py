"""An answer about a campaign is kept with what was looked at for it, and asked for again once some of that is another."""

from __future__ import annotations

import pytest

from rollbook.domain.base.errors import Refused
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.kept_answers import KeptAnswers
from rollbook.domain.state.reads import Reads


def moment(**parts: object) -> CampaignState:
    return CampaignState(**parts)  # type: ignore[arg-type]


class Clock:
    """Asks for the clock, and counts how often."""

    def __init__(self) -> None:
        self.kept = KeptAnswers[int](2)
        self.times = 0

    def at(self, state: CampaignState, asked: str = "clock", *, is_sound: bool = True) -> int:
        def ask(reads: Reads) -> int:
            self.times += 1
            reads.note("clock")
            if state.clock < 0:
                raise Refused("It is before the beginning.")
            return state.clock

        return self.kept.answer(asked, state, ask, is_sound=lambda _: is_sound)


def test_what_was_not_looked_at_may_change() -> None:
    clock = Clock()
    assert [clock.at(moment(clock=6, scene=scene)) for scene in ("a wood", "a hall")] == [6, 6]
    assert clock.times == 1


def test_what_was_looked_at_makes_another_answer_and_coming_back_too() -> None:
    clock = Clock()
    assert [clock.at(moment(clock=seconds)) for seconds in (6, 12, 6)] == [6, 12, 6]
    assert clock.times == 3


def test_a_refusal_is_an_answer() -> None:
    clock = Clock()
    for _ in range(2):
        with pytest.raises(Refused, match="before the beginning"):
            clock.at(moment(clock=-1))
    assert clock.times == 1


def test_other_rules_are_asked_themselves() -> None:
    clock = Clock()
    assert [clock.at(moment(clock=6, ruleset=game)) for game in ("toy", "bones")] == [6, 6]
    assert clock.times == 2


def test_of_a_draft_and_of_what_failed_nothing_is_kept() -> None:
    for state, is_sound in ((moment(clock=6).copy(), True), (moment(clock=6), False)):
        clock = Clock()
        for _ in range(2):
            clock.at(state, is_sound=is_sound)
        assert clock.times == 2


def test_the_last_that_were_asked_for_are_kept() -> None:
    clock, now = Clock(), moment(clock=6)
    for asked in ("one", "two", "one", "three", "one"):
        clock.at(now, asked)
    assert clock.times == 3
    clock.at(now, "two")
    assert clock.times == 4
