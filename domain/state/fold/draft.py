"""The working copy of a campaign while events are applied to it, and the registry of what each event does."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import CheckResolved, DiceRolled, Event
from rollbook.domain.state.campaign_state import (
    GROUPS,
    PRESENT,
    WITH_CONDITIONS,
    CampaignState,
    Character,
    request_name,
)
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.sealing import NOTHING


@attrs.frozen(kw_only=True)
class BriefRoll(Record):
    """The fields of DiceRolled that the fold uses."""

    roller: str
    purpose: str
    occasion: str = ""
    repeat: int = 0


@attrs.frozen(kw_only=True)
class BriefCheck(Record):
    """The fields of CheckResolved that the fold uses."""

    character: CharacterId


FoldedEvent: TypeAlias = Event | BriefRoll | BriefCheck
"""An event as the fold applies it."""

BRIEF: Mapping[type[Event], type[FoldedEvent]] = {DiceRolled: BriefRoll, CheckResolved: BriefCheck}
"""Short forms in which the fold may read events of a class; it does the same with either form."""


MOST_REPEATS = 10_000
"""Requests beyond this number are not noted: a forged history must not fill the memory."""


class Draft:
    """A campaign while events are applied to it.

    It begins as the campaign itself: the campaign, a character or the encounter is copied when it is about to be changed, and
    again after it was published. ``touched`` collects the keys of parts that events reached for (see ``CampaignState.part``).
    """

    __slots__ = ("_dice_requests", "_groups", "_own_characters", "campaign", "touched")

    def __init__(self, campaign: CampaignState) -> None:
        self.campaign = campaign
        self._own_characters: dict[CharacterId, Character] | None = None
        self._dice_requests: dict[str, int] | None = None
        self._groups: dict[str, tuple[CharacterId, ...]] = {}
        self.touched: set[str] = set()

    def apply(self, events: Iterable[FoldedEvent]) -> None:
        """Apply events in order. An event that finds nothing to change changes nothing."""
        for event in events:
            _ARMS[event.__class__](self, event)

    def take(self, event: FoldedEvent) -> None:
        """Apply one event."""
        _ARMS[event.__class__](self, event)

    def publish(self) -> CampaignState:
        """The state so far, sealed. The draft may go on; it copies again what it changes again."""
        if self._own_characters is not None:
            self._seal(self._own_characters)
            self._own_characters = self._dice_requests = None
        return self.campaign

    def _seal(self, characters: Mapping[CharacterId, Character]) -> None:
        for key in self.touched:
            if key[0] == "@" and key[1:] in characters:
                characters[key[1:]].seal()
        if self.campaign.encounter is not None:
            self.campaign.encounter.seal()
        self.campaign.seal()

    def _characters(self) -> dict[CharacterId, Character]:
        """The draft's own mapping of characters, in the draft's own campaign."""
        if self._own_characters is None:
            self.campaign = self.campaign.copy()
            self.campaign.characters = self._own_characters = dict(self.campaign.characters)
        return self._own_characters

    def character(self, key: CharacterId) -> Character | None:
        """The draft's own copy of a character; nobody if there is no such character."""
        self.touched.add("@" + key)
        characters = self._characters()
        who = characters.get(key)
        if who is not None and who.sealed:
            who = characters[key] = who.copy()
        return who

    def encounter(self) -> Encounter | None:
        """The draft's own copy of the encounter."""
        encounter = self.writable("encounter").encounter
        if encounter is not None and encounter.sealed:
            encounter = self.campaign.encounter = encounter.copy()
        return encounter

    def writable(self, part: str) -> CampaignState:
        """The draft's own campaign, whose field ``part`` is about to change."""
        self.touched.add(part)
        self._characters()
        return self.campaign

    def reset_requests(self) -> None:
        """A new stretch of play: requests for dice are counted from nothing again."""
        self._dice_requests = None
        self.writable("dice_requests").dice_requests = NOTHING

    def note_request(self, roll: DiceRolled | BriefRoll) -> None:
        """Note a request for dice by the bit of its repeat; the notes are copied once a draft, not once a roll."""
        request = request_name(roll.roller, roll.purpose, roll.occasion)
        taken = 1 << roll.repeat if 0 <= roll.repeat < MOST_REPEATS else 0
        campaign = self.writable("dice_requests")
        if self._dice_requests is None:
            campaign.dice_requests = self._dice_requests = dict(campaign.dice_requests)
        self._dice_requests[request] = self._dice_requests.get(request, 0) | taken

    def group(self, part: str) -> tuple[CharacterId, ...]:
        """The characters of a group (see ``GROUPS``); until an event touches it, nobody has to be looked at again."""
        if part not in self._groups:
            self._groups[part] = GROUPS[part](self.campaign)
        return self._groups[part]

    def regroup(self, *parts: str) -> None:
        """Note that an event may change who is in these groups."""
        self.touched.update(parts)
        for part in parts:
            self._groups.pop(part, None)

    def newcomer(self, who: Character) -> None:
        self.touched.update(("@" + who.id, "@*"))
        self.regroup(PRESENT, WITH_CONDITIONS)
        self._characters()[who.id] = who

    def leave(self, key: CharacterId) -> None:
        """A character is in play no more; if there is no such character, nothing changes."""
        if (who := self.character(key)) is not None:
            self.regroup(PRESENT, WITH_CONDITIONS)
            who.present = False


_Arm = Callable[[Draft, Any], None]
_ARMS: dict[type[FoldedEvent], _Arm] = {}


def applies(*events: type[FoldedEvent]) -> Callable[[_Arm], _Arm]:
    """Register the arm of the fold for these classes of event."""

    def register(arm: _Arm) -> _Arm:
        _ARMS.update(dict.fromkeys(events, arm))
        return arm

    return register


def in_order(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping of an event sorted by name, as it is stored: state is the same before and after it is stored."""
    return dict(sorted(stored.items()))


def plus(numbers: Mapping[str, int], key: str, amount: int) -> dict[str, int]:
    """The numbers, with ``amount`` added to one of them."""
    return {**numbers, key: numbers.get(key, 0) + amount}


def sum_by_name(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Both mappings added up by name; what comes to 0 is left out."""
    total = {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *other)}
    return {key: amount for key, amount in total.items() if amount}


def without(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The mapping without one key."""
    return {name: value for name, value in mapping.items() if name != key}


def interrupt(draft: Draft, *names: CharacterId) -> None:
    """Interrupt what the party is at. What hidden characters do interrupts nothing that the table could notice."""
    stretch = draft.campaign.stretch
    if stretch is None or stretch.interrupted or (names and all(is_hidden(draft, name) for name in names)):
        return
    draft.writable("stretch").stretch = attrs.evolve(stretch, interrupted=True)


def is_hidden(draft: Draft, name: CharacterId) -> bool:
    """True if only the GM knows of a character."""
    who = draft.campaign.characters.get(name)
    return who is not None and who.hidden
