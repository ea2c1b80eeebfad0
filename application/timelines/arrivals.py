"""Somebody who came in by another game's own way of making characters, as these rules make of them: the way of ``adopt``."""

from collections.abc import Iterator

import attrs

from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import (
    CharacterCrossed,
    CharacterHidden,
    CharacterJoined,
    Event,
    ExperienceAwarded,
    GearGained,
    ParameterValue,
    RulesetAdopted,
    SheetSetAside,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState

NOT_TAKEN = (RulesetAdopted, SheetSetAside, CharacterCrossed)


def arrivals(
    rulebook: Rulebook, after: CampaignState, events: tuple[Event, ...], here: CampaignState
) -> tuple[Event, ...]:
    """The events with which those who joined in ``events`` on canon come in ``here``; nothing if nobody can.

    ``after`` is canon after the action. What everybody understands comes along: who they are, what they
    hold and have learned. The rest is what going over from canon's game to this one makes of them.
    """
    joined = [
        event for event in events if isinstance(event, CharacterJoined) and event.character not in here.characters
    ]
    if not joined or not here.ruleset or after.ruleset == here.ruleset:
        return ()
    names = dict.fromkeys(event.character for event in joined)
    alone = attrs.evolve(
        after,
        characters={name: who for name, who in after.characters.items() if name in names},
        encounter=None,
        seats=here.seats,
        former={},
    )
    params: dict[str, ParameterValue] = {
        "ruleset": here.ruleset,
        "settings": here.settings,
        "version": here.version,
        "by_level": True,
    }
    try:
        crossed = rulebook.play(alone, Intent(verb=Adopt.verb, params=params), NoDice()).events
    except RollbookError:
        return ()
    met = [event for name in names for event in _known_to_all(alone, name)]
    hidden = [event for event in events if isinstance(event, CharacterHidden) and event.character in names]
    return (*joined, *hidden, *met, *(event for event in crossed if not isinstance(event, NOT_TAKEN)))


def _known_to_all(campaign: CampaignState, name: str) -> Iterator[Event]:
    who = campaign.characters[name]
    for item, gear in who.gear.items():
        if gear.count > 0:
            yield GearGained(character=name, item=item, count=gear.count)
    if who.experience:
        yield ExperienceAwarded(character=name, amount=who.experience)
