"""What an event changes is among what it touches: corrections compare no more than that."""

import attrs
from hypothesis import example, given, settings

from rollbook.domain.events import CharacterJoined, DiceRolled, EncounterBegan, Event
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, equal_in_order
from rollbook.domain.state.fold import Draft, fold
from tests.support.strategies import HISTORIES

PEOPLE = [CharacterJoined(character=who, name=who.title()) for who in ("robin", "marian", "guard")]
CAMPAIGN = fold(EMPTY, [*PEOPLE, EncounterBegan(title="in the woods")])
BY_THE_START = ("name", "identity")
"""What the first action alone sets, which nobody can correct."""

FIELDS = {field.name for field in attrs.fields(CampaignState)} - {"characters", "sealed", *BY_THE_START}
NAMED = {"scenes": "scene"}
"""Fields that are compared under another name."""


ROLLS = [
    DiceRolled(roller="robin", purpose=why, expression="1d20", total=7, occasion="s1.0") for why in ("search", "luck")
]


@given(HISTORIES)
@example(ROLLS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_each_event_touches_what_it_changes_however_many_the_same_draft_has_taken(history: list[Event]) -> None:
    draft, campaign = Draft(CAMPAIGN), CAMPAIGN
    for event in history:
        draft.touched = set()
        draft.take(event)
        after = fold(campaign, (event,))
        changed = {
            NAMED.get(name, name)
            for name in FIELDS
            if not equal_in_order(getattr(campaign, name), getattr(after, name))
        }
        people = {*campaign.characters, *after.characters}
        changed |= {f"@{who}" for who in people if campaign.characters.get(who) != after.characters.get(who)}
        assert changed <= draft.touched, event
        campaign = after
