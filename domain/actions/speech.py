"""Players' own words in an action, which never hide an entry.

Nothing that a player sees may say who is hidden. So a player's text is treated alike whether or not it happens to be
the name of a hidden character; an entry is hidden by the GM's words, by the character whom a parameter means, and by
what the rules add.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from rollbook.domain.actions import SHARED_VERBS
from rollbook.domain.base.records import Record
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.history.secrecy import (
    Names,
    intent_names_hidden_character,
    names_hidden_character,
    stored_names_hidden_character,
)
from rollbook.domain.rules.action import intent_of, parameters
from rollbook.domain.rules.parameter_types import ParameterType

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import SeatName
    from rollbook.domain.rules.action import Action
    from rollbook.domain.state.campaign_state import CampaignState

MEANS_SOMEBODY = (ParameterType.CHARACTER, ParameterType.CHARACTERS)
"""Parameters that are ids of characters, and no words; the names of a mapping may be such ids too (``names_people``)."""

ALWAYS_SOMEBODY = ("character", "holder", "order")
"""Fields of events that are ids of characters, whatever a player has typed."""


@attrs.frozen
class Speech(Record):
    """The speaker of an action: ``own`` are the parameters in which a player of the seat ``seat`` speaks, "" for the GM.

    ``says_why`` means that its reason is a player's too.
    """

    seat: SeatName = ""
    own: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    says_why: bool = False

    def intent_names(self, names: Names | None, intent: Intent) -> bool:
        """True if an intent names somebody hidden, in anything but a player's own words."""
        return intent_names_hidden_character(names, intent, but=self.own)

    def reason_names(self, names: Names | None, reason: str) -> bool:
        """True if the reason that is given names somebody hidden: a player's hides nothing."""
        return not self.says_why and names_hidden_character(names, reason)

    def event_names(self, names: Names | None, event: Event, line: bytes) -> bool:
        """True if an event, stored as ``line``, names somebody hidden but for what the player has said."""
        if not stored_names_hidden_character(names, line):
            return False
        heard = self._heard(names)
        return stored_names_hidden_character(heard, line) or (
            heard is not names and any(_is_somebody(names, getattr(event, field, ())) for field in ALWAYS_SOMEBODY)
        )

    def envelope_names(self, names: Names | None, entry: RecordedEntry, line: bytes) -> bool:
        """True if an envelope, stored as ``line``, names somebody hidden but for what the player has said."""
        heard = self._heard(names)
        heard = heard.but(entry.reason) if heard is not None and self.says_why else heard
        return stored_names_hidden_character(heard, line) or self.intent_names(names, entry.intent)

    def _heard(self, names: Names | None) -> Names | None:
        """The search for hidden characters, without those whose name the player has said or goes by."""
        return names.but(self.seat, *self.own.values()) if names is not None and self.seat else names


GMS = Speech()
"""The GM's speech: every word of it counts."""


def _is_somebody(names: Names | None, value: str | tuple[str, ...]) -> bool:
    return names_hidden_character(names, *((value,) if isinstance(value, str) else value))


def speech(campaign: CampaignState, seat: SeatName, action: Action) -> Speech:
    """The speech of an action that a seat takes."""
    if campaign.is_gm(seat):
        return GMS
    return Speech(seat, own_words(type(action), intent_of(action).params), says_why=True)


def as_recorded(campaign: CampaignState, entry: RecordedEntry) -> Speech:
    """The speech of a recorded action, by the verbs that every game has: a game's own verbs may no longer be installed.

    In all other entries every word counts (``GMS``).
    """
    verb = SHARED_VERBS.get(entry.intent.verb)
    if verb is None or entry.kind is not EntryKind.TAKEN or campaign.is_gm(entry.seat):
        return GMS
    known = {each.name for each in parameters(verb)}
    said = {name: value for name, value in entry.full_intent.params.items() if name in known}
    return Speech(entry.seat, own_words(verb, said), says_why=True)


def own_words(verb: type[Action], said: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
    """The given parameters that are words and mean no character."""
    ids = {each.name for each in parameters(verb) if each.want in MEANS_SOMEBODY or each.names_people}
    return {name: value for name, value in said.items() if name not in ids}
