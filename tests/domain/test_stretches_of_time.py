"""Time spent on one activity in several goes is one stretch, unless something comes between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain import events
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Stretch
from rollbook.domain.state.fold import fold

ANN, SPY = "ann", "spy"


def table() -> CampaignState:
    """Ann, whom everybody knows, and a spy, of whom the table knows nothing."""
    joined = (events.CharacterJoined(character=who, name=who.title()) for who in (ANN, SPY))
    return fold(EMPTY, (*joined, events.EncounterBegan(), events.CharacterHidden(character=SPY)))


def rest(seconds: int) -> Event:
    return events.TimePassed(seconds=seconds, activity="rest")


def check(who: str) -> Event:
    return events.CheckResolved(character=who, check="dex", total=9, target=15, success=False)


INTERRUPTIONS = (
    check(ANN),
    events.DamageTaken(character=ANN, amount=2, dealt=2),
    events.Moved(character=ANN, east=1),
    events.PowerUsed(character=ANN, power="rally"),
    events.TurnOrderSet(order=(SPY, ANN), scores=(3, 2)),
    events.SceneFramed(title="An ambush"),
    events.RulesetAdopted(ruleset="toy", version="1"),
    events.TimePassed(seconds=600),
    events.TimePassed(seconds=600, activity="work"),
)
HARMLESS = (
    events.NoteWritten(text="Stars."),
    events.XCardRaised(),
    events.XCardAnswered(how="resume"),
    events.HitPointsRestored(character=ANN, amount=1),
    events.HitPointsCorrected(character=ANN, amount=-1, reason="forgotten"),
    events.ConditionBegan(character=ANN, condition="afraid"),
    events.ConditionEnded(character=ANN, condition="afraid"),
    events.GearGained(character=ANN, item="rope"),
    events.ExperienceAwarded(character=ANN, amount=10),
    events.SessionClosed(session=1),
    events.SessionOpened(session=2),
    check(SPY),
    events.Moved(character=SPY, east=1),
    events.DamageTaken(character=SPY, amount=2, dealt=2),
    events.TurnOrderSet(order=(SPY,), scores=(3,)),
)


@pytest.mark.parametrize("between", HARMLESS, ids=lambda event: type(event).__name__)
def test_a_rest_goes_on_through_what_does_not_disturb_it(between: Event) -> None:
    assert fold(table(), (rest(60), between, rest(30))).stretch == Stretch(activity="rest", seconds=90)


@pytest.mark.parametrize("between", INTERRUPTIONS, ids=lambda event: type(event).__name__)
def test_a_rest_after_something_came_between_is_another_rest(between: Event) -> None:
    assert fold(table(), (rest(60), between, rest(30))).stretch == Stretch(activity="rest", seconds=30)
    assert fold(table(), (rest(60), between)).stretch != Stretch(activity="rest", seconds=60)


def test_what_time_itself_does_to_somebody_does_not_end_the_rest() -> None:
    thirst = events.DamageTaken(character=ANN, amount=1, dealt=1)
    assert fold(table(), (rest(60), thirst, rest(0), rest(30))).stretch == Stretch(activity="rest", seconds=90)


def is_rest(event: Event) -> bool:
    return isinstance(event, events.TimePassed) and event.activity == "rest"


def is_undone(later: list[Event]) -> bool:
    """Whether 0 seconds of rest are the first time that passes after an interruption."""
    first = next((each for each in later if isinstance(each, events.TimePassed)), None)
    return first == rest(0)


def rested_to_the_end(history: list[Event]) -> int:
    """The seconds of rest after the last interruption that was not undone."""
    since = 0
    for place, event in enumerate(history):
        other_time = isinstance(event, events.TimePassed) and not is_rest(event)
        if other_time or (event in INTERRUPTIONS and not is_undone(history[place + 1 :])):
            since = place + 1
    return sum(each.seconds for each in history[since:] if isinstance(each, events.TimePassed))


STEPS = st.sampled_from((*INTERRUPTIONS, *HARMLESS, rest(0), rest(60), rest(7)))


@given(st.lists(STEPS, max_size=12), st.integers(0, 12))
def test_the_stretch_is_what_was_rested_since_the_last_interruption(history: list[Event], cut: int) -> None:
    done = [*history, rest(60)]
    whole = fold(table(), done).stretch
    assert whole == Stretch(activity="rest", seconds=rested_to_the_end(done))
    assert fold(fold(table(), done[:cut]), done[cut:]).stretch == whole, "however the events come in"
