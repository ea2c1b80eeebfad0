"""Events wait in a correction while they meet nothing that differs; what they change is among those whom they meet."""

from hypothesis import given, settings

from rollbook.domain.events import CharacterJoined, EncounterBegan, Event
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.fold import Draft, fold
from rollbook.domain.state.fold.related_parts import CARRIED, REQUESTS, meets
from tests.support.strategies import HISTORIES

PEOPLE = [CharacterJoined(character=who, name=who.title()) for who in ("robin", "marian", "guard")]
CAMPAIGN = fold(EMPTY, [*PEOPLE, EncounterBegan(title="in the woods")])


@given(HISTORIES)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_an_event_changes_and_goes_by_nobody_whom_it_does_not_meet(history: list[Event]) -> None:
    campaign = CAMPAIGN
    for event in history:
        draft = Draft(campaign)
        draft.take(event)
        carried = {part for part, field in CARRIED.get(type(event), lambda *_: ())(event, campaign) if field != "who"}
        for part in draft.touched | carried:
            assert part[0] != "@" or meets((event,), {part}), (event, part)
        campaign = fold(campaign, (event,))


@given(HISTORIES)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_requests_for_dice_are_counted_from_nothing_only_with_what_meets_them(history: list[Event]) -> None:
    campaign = CAMPAIGN
    for event in history:
        after = fold(campaign, (event,))
        if not set(campaign.dice_requests) <= set(after.dice_requests):
            assert meets((event,), {REQUESTS}), event
        campaign = after
