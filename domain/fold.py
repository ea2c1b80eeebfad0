"""The fold: how each event changes the state of a campaign.

It holds no rules and never refuses: an event about somebody who is not there changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from domain import events
from domain.events import CharacterId, Event
from domain.state import (
    NOTHING,
    CampaignState,
    Character,
    Condition,
    Encounter,
    Gear,
    OpenChoice,
    Seat,
    Session,
    StoredSheet,
    Stretch,
    Usage,
)


class Draft:
    """A campaign while events are applied to it.

    ``touched`` collects the keys of the parts that events have reached for (see ``Campaign.part``).
    """

    __slots__ = ("_characters", "_dice_requests", "campaign", "touched")

    def __init__(self, campaign: CampaignState) -> None:
        self.campaign = campaign.copy()
        self._characters = dict(campaign.characters)
        self.campaign.characters = self._characters
        self._dice_requests: dict[str, int] | None = None
        self.touched: set[str] = set()

    def apply(self, events: Iterable[Event]) -> None:
        """Apply events in order. An event that finds nothing to change changes nothing."""
        for event in events:
            _ARMS[event.__class__](self, event)

    def publish(self) -> CampaignState:
        """The state so far, sealed. The draft may go on; it copies again what it changes again."""
        campaign = self.campaign
        for key in self.touched:
            if key[0] == "@":
                who = self._characters.get(key[1:])
                if who is not None:
                    who.seal()
        if campaign.encounter is not None:
            campaign.encounter.seal()
        campaign.seal()
        self._dice_requests = None
        self.campaign = campaign.copy()
        self._characters = dict(self._characters)
        self.campaign.characters = self._characters
        return campaign

    def character(self, key: CharacterId) -> Character | None:
        """The draft's own copy of a character; nobody if there is no such character."""
        self.touched.add("@" + key)
        who = self._characters.get(key)
        if who is not None and who.sealed:
            who = self._characters[key] = who.copy()
        return who

    def encounter(self) -> Encounter | None:
        """The draft's own copy of the encounter."""
        self.touched.add("encounter")
        encounter = self.campaign.encounter
        if encounter is not None and encounter.sealed:
            encounter = self.campaign.encounter = encounter.copy()
        return encounter

    def writable(self, part: str) -> CampaignState:
        """The draft's own campaign, whose field ``part`` is about to change."""
        self.touched.add(part)
        return self.campaign

    def reset_requests(self) -> None:
        """A new stretch of play: requests for dice are counted from nothing again."""
        self._dice_requests = None
        self.writable("dice_requests").dice_requests = NOTHING

    def note_request(self, intent: str) -> None:
        """Note a request for dice by the bit of its ordinal; the notes are copied once a draft, not once a roll."""
        request, _, ordinal = intent.rpartition("#")
        taken = 1 << int(ordinal) if len(ordinal) < 5 and ordinal.isascii() and ordinal.isdecimal() else 0
        if self._dice_requests is None:
            self._dice_requests = dict(self.campaign.dice_requests)
            self.writable("dice_requests").dice_requests = self._dice_requests
        self._dice_requests[request] = self._dice_requests.get(request, 0) | taken

    def newcomer(self, who: Character) -> None:
        """Somebody new."""
        self.touched.update(("@" + who.id, "@*"))
        self._characters[who.id] = who


def fold(campaign: CampaignState, events: Iterable[Event]) -> CampaignState:
    """The campaign after these events. Total: it raises for no sequence of events."""
    draft = Draft(campaign)
    draft.apply(events)
    return draft.publish()


def apply(campaign: CampaignState, event: Event) -> CampaignState:
    """The campaign after one event."""
    return fold(campaign, (event,))


_Arm = Callable[[Draft, Any], None]
_ARMS: dict[type[Event], _Arm] = {}


def applies(*events: type[Event]) -> Callable[[_Arm], _Arm]:
    """Register the arm of the fold for these classes of event."""

    def register(arm: _Arm) -> _Arm:
        _ARMS.update(dict.fromkeys(events, arm))
        return arm

    return register


def _in_order(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping of an event in the order in which every file has it, also for whoever has just made the event."""
    return dict(sorted(stored.items()))


def _plus(numbers: Mapping[str, int], key: str, amount: int) -> dict[str, int]:
    return {**numbers, key: numbers.get(key, 0) + amount}


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    total = {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *other)}
    return {key: amount for key, amount in total.items() if amount}


_OF_A_GAME = ("level", "lost", "stats", "traits", "trait_data", "pools", "conditions", "choices", "chosen", "usages")
"""What on a character only the ruleset of the moment understands, besides what it takes things for."""


def _without(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != key}


@applies(
    events.DiceRevealed,
    events.ScreenCounted,
    events.FreshDiceGranted,
    events.NoteWritten,
    events.NoteRedacted,
    events.EntriesRevealed,
    events.RulingMade,
)
def _(draft: Draft, event: Event) -> None:
    """Shown in the log; the state stays as it is."""


@applies(events.CampaignStarted)
def _(draft: Draft, event: events.CampaignStarted) -> None:
    campaign = draft.writable("name")
    campaign.name = event.name
    campaign.identity = event.identity


@applies(events.RulesetAdopted)
def _(draft: Draft, event: events.RulesetAdopted) -> None:
    campaign = draft.writable("settings")
    draft.touched.update(("ruleset", "version", "package", "former"))
    if campaign.ruleset:
        campaign.former = {**campaign.former, campaign.ruleset: campaign.settings}
    campaign.ruleset = event.ruleset
    campaign.version = event.version
    campaign.package = event.package
    campaign.settings = _in_order(event.settings)
    _interrupt(draft)


@applies(events.SeatTaken)
def _(draft: Draft, event: events.SeatTaken) -> None:
    campaign = draft.writable("seats")
    campaign.seats = {**campaign.seats, event.seat: Seat(name=event.seat, role=event.role, number=event.number)}


@applies(events.SeatLeft)
def _(draft: Draft, event: events.SeatLeft) -> None:
    campaign = draft.writable("seats")
    seat = campaign.seats.get(event.seat)
    if seat is not None:
        campaign.seats = {**campaign.seats, event.seat: attrs.evolve(seat, present=False)}


@applies(events.SessionOpened)
def _(draft: Draft, event: events.SessionOpened) -> None:
    campaign = draft.writable("session")
    draft.reset_requests()
    campaign.session = Session(
        number=event.session,
        title=event.title,
        identity=event.identity,
        scheme=event.scheme,
        commit_table=event.commit_table,
        commit_screen=event.commit_screen,
    )


@applies(events.EntropyAdded)
def _(draft: Draft, event: events.EntropyAdded) -> None:
    campaign = draft.writable("session")
    if campaign.session is not None:
        entropy = (*campaign.session.entropy, (event.number, event.text))
        campaign.session = attrs.evolve(campaign.session, entropy=entropy)


@applies(events.SessionClosed)
def _(draft: Draft, event: events.SessionClosed) -> None:
    campaign = draft.writable("session")
    if campaign.session is not None:
        campaign.session = attrs.evolve(campaign.session, is_open=False)


@applies(events.TableAgreed)
def _(draft: Draft, event: events.TableAgreed) -> None:
    campaign = draft.writable("agreed")
    matter = f"{event.matter}/{event.seat}" if event.seat else event.matter
    campaign.agreed = {**campaign.agreed, matter: event.value}


@applies(events.SceneFramed)
def _(draft: Draft, event: events.SceneFramed) -> None:
    campaign = draft.writable("scene")
    draft.touched.add("scenes")
    campaign.scene = event.title
    campaign.scenes += 1
    draft.reset_requests()
    _interrupt(draft)


@applies(events.XCardRaised)
def _(draft: Draft, event: events.XCardRaised) -> None:
    draft.writable("paused").paused = True


@applies(events.XCardAnswered)
def _(draft: Draft, event: events.XCardAnswered) -> None:
    draft.writable("paused").paused = False


@applies(events.TimePassed)
def _(draft: Draft, event: events.TimePassed) -> None:
    draft.writable("clock").clock += event.seconds
    campaign = draft.writable("stretch")
    so_far = _seconds_so_far(campaign.stretch, event)
    campaign.stretch = Stretch(activity=event.activity, seconds=so_far + event.seconds) if event.activity else None


def _seconds_so_far(stretch: Stretch | None, event: events.TimePassed) -> int:
    """The seconds that the activity has gone on already; 0 seconds of it take back an interruption."""
    if stretch is None or stretch.activity != event.activity or (stretch.interrupted and event.seconds):
        return 0
    return stretch.seconds


def _interrupt(draft: Draft, *names: CharacterId) -> None:
    """Interrupt what the party is at. What hidden characters do interrupts nothing that the table could notice."""
    stretch = draft.campaign.stretch
    if stretch is None or stretch.interrupted or (names and all(_is_hidden(draft, name) for name in names)):
        return
    draft.writable("stretch").stretch = attrs.evolve(stretch, interrupted=True)


@applies(events.CheckResolved)
def _(draft: Draft, event: events.CheckResolved) -> None:
    _interrupt(draft, event.character)


@applies(events.CharacterJoined)
def _(draft: Draft, event: events.CharacterJoined) -> None:
    draft.newcomer(Character(id=event.character, name=event.name, kind=event.kind, seat=event.seat))


@applies(events.CharacterLeft)
def _(draft: Draft, event: events.CharacterLeft) -> None:
    if (who := draft.character(event.character)) is not None:
        who.present = False


@applies(events.CharacterHidden)
def _(draft: Draft, event: events.CharacterHidden) -> None:
    if (who := draft.character(event.character)) is not None:
        who.hidden = True


@applies(events.CharacterRevealed)
def _(draft: Draft, event: events.CharacterRevealed) -> None:
    if (who := draft.character(event.character)) is not None:
        who.hidden = False


@applies(events.ControlPassed)
def _(draft: Draft, event: events.ControlPassed) -> None:
    if (who := draft.character(event.character)) is not None:
        who.seat = event.seat


@applies(events.StatChanged)
def _(draft: Draft, event: events.StatChanged) -> None:
    if (who := draft.character(event.character)) is not None:
        who.stats = _plus(who.stats, event.stat, event.amount)


@applies(events.TraitGained)
def _(draft: Draft, event: events.TraitGained) -> None:
    if (who := draft.character(event.character)) is not None:
        who.traits = {**who.traits, event.trait: event.kind}
        if event.data:
            who.trait_data = {**who.trait_data, event.trait: _in_order(event.data)}
        elif event.trait in who.trait_data:
            who.trait_data = _without(who.trait_data, event.trait)


@applies(events.TraitLost)
def _(draft: Draft, event: events.TraitLost) -> None:
    if (who := draft.character(event.character)) is not None:
        who.traits = _without(who.traits, event.trait)
        if event.trait in who.trait_data:
            who.trait_data = _without(who.trait_data, event.trait)


@applies(events.GearGained)
def _(draft: Draft, event: events.GearGained) -> None:
    if (who := draft.character(event.character)) is not None:
        held = who.gear.get(event.item, Gear(count=0, use=event.use))
        who.gear = {**who.gear, event.item: Gear(count=held.count + event.count, use=event.use or held.use)}


@applies(events.GearLost)
def _(draft: Draft, event: events.GearLost) -> None:
    if (who := draft.character(event.character)) is not None:
        held = who.gear.get(event.item, Gear(count=0))
        who.gear = {**who.gear, event.item: Gear(count=held.count - event.count, use=held.use)}


@applies(events.Moved)
def _(draft: Draft, event: events.Moved) -> None:
    if (who := draft.character(event.character)) is not None:
        east, north, up = who.position
        who.position = (east + event.east, north + event.north, up + event.up)
        _interrupt(draft, event.character)


@applies(events.SheetSetAside)
def _(draft: Draft, event: events.SheetSetAside) -> None:
    if (who := draft.character(event.character)) is None:
        return
    since = _in_order(event.since)
    behind = {key: attrs.evolve(sheet, since=_sum(sheet.since, since)) for key, sheet in who.aside.items()}
    uses = {item: held.use for item, held in who.gear.items() if held.use}
    fields = {name: getattr(who, name) for name in _OF_A_GAME}
    who.aside = {**behind, event.ruleset: StoredSheet(**fields, uses=uses, since=NOTHING)}
    who.gear = {item: Gear(count=held.count) for item, held in who.gear.items()}
    who.level = who.lost = 0
    who.stats = who.traits = who.trait_data = who.pools = who.conditions = who.choices = who.chosen = who.usages = (
        NOTHING
    )
    who.arrival_baseline = NOTHING


@applies(events.SheetTakenUp)
def _(draft: Draft, event: events.SheetTakenUp) -> None:
    if (who := draft.character(event.character)) is None or event.ruleset not in who.aside:
        return
    sheet = who.aside[event.ruleset]
    for name in _OF_A_GAME:
        setattr(who, name, getattr(sheet, name))
    who.gear = {item: Gear(count=held.count, use=sheet.uses.get(item, "")) for item, held in who.gear.items()}
    who.aside = _without(who.aside, event.ruleset)


@applies(events.CharacterCrossed)
def _(draft: Draft, event: events.CharacterCrossed) -> None:
    if (who := draft.character(event.character)) is not None:
        who.arrival_baseline = _in_order(event.measures)


@applies(events.DiceRolled)
def _(draft: Draft, event: events.DiceRolled) -> None:
    """Notes the requests of a turn, so that the same request after an undo is known again (see ``dice_supply``)."""
    if event.intent:
        draft.note_request(event.intent)


@applies(events.DamageTaken)
def _(draft: Draft, event: events.DamageTaken) -> None:
    if (who := draft.character(event.character)) is not None:
        who.lost += event.amount
        _interrupt(draft, event.character)


@applies(events.HitPointsRestored, events.HitPointsCorrected)
def _(draft: Draft, event: events.HitPointsRestored | events.HitPointsCorrected) -> None:
    if (who := draft.character(event.character)) is not None:
        who.lost -= event.amount


@applies(events.ConditionBegan)
def _(draft: Draft, event: events.ConditionBegan) -> None:
    if (who := draft.character(event.character)) is not None:
        began = Condition(
            name=event.condition,
            since=draft.campaign.clock,
            until=event.until,
            source=event.source,
            detail=event.detail,
            data=_in_order(event.data) if event.data else NOTHING,
        )
        who.conditions = {**who.conditions, event.condition: began}


@applies(events.ConditionEnded)
def _(draft: Draft, event: events.ConditionEnded) -> None:
    if (who := draft.character(event.character)) is not None:
        who.conditions = _without(who.conditions, event.condition)


def _pool(draft: Draft, holder: CharacterId, pool: str, amount: int) -> None:
    if not holder:
        campaign = draft.writable("pools")
        campaign.pools = _plus(campaign.pools, pool, amount)
    elif (who := draft.character(holder)) is not None:
        who.pools = _plus(who.pools, pool, amount)


@applies(events.PoolGained)
def _(draft: Draft, event: events.PoolGained) -> None:
    _pool(draft, event.holder, event.pool, event.amount)


@applies(events.PoolSpent)
def _(draft: Draft, event: events.PoolSpent) -> None:
    _pool(draft, event.holder, event.pool, -event.amount)


@applies(events.PoolBecame)
def _(draft: Draft, event: events.PoolBecame) -> None:
    if not event.holder:
        campaign = draft.writable("pools")
        campaign.pools = {**campaign.pools, event.pool: event.amount}
    elif (who := draft.character(event.holder)) is not None:
        who.pools = {**who.pools, event.pool: event.amount}


@applies(events.PowerUsed)
def _(draft: Draft, event: events.PowerUsed) -> None:
    if (who := draft.character(event.character)) is not None:
        key = f"{event.power}:{event.target}" if event.target else event.power
        before = who.usages.get(key)
        count = before.count + 1 if before else 1
        who.usages = {**who.usages, key: Usage(count=count, last=draft.campaign.clock)}
        _interrupt(draft, event.character)


@applies(events.ExperienceAwarded)
def _(draft: Draft, event: events.ExperienceAwarded) -> None:
    if (who := draft.character(event.character)) is not None:
        who.experience += event.amount


@applies(events.LevelGained)
def _(draft: Draft, event: events.LevelGained) -> None:
    if (who := draft.character(event.character)) is not None:
        who.level += event.levels


@applies(events.ChoiceOffered)
def _(draft: Draft, event: events.ChoiceOffered) -> None:
    if (who := draft.character(event.character)) is not None:
        who.choices = {**who.choices, event.choice: OpenChoice(options=event.options, data=_in_order(event.data))}


@applies(events.ChoiceMade)
def _(draft: Draft, event: events.ChoiceMade) -> None:
    if (who := draft.character(event.character)) is not None:
        who.choices = _without(who.choices, event.choice)
        who.chosen = {**who.chosen, event.choice: event.picked}


@applies(events.EncounterBegan)
def _(draft: Draft, event: events.EncounterBegan) -> None:
    campaign = draft.writable("encounter")
    campaign.encounter = Encounter(title=event.title)
    draft.reset_requests()


@applies(events.EncounterEnded)
def _(draft: Draft, event: events.EncounterEnded) -> None:
    campaign = draft.writable("encounter")
    campaign.encounter = None
    draft.reset_requests()


@applies(events.TurnOrderSet)
def _(draft: Draft, event: events.TurnOrderSet) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.order = event.order
        encounter.scores = event.scores
        if event.order:
            _interrupt(draft, *event.order)


@applies(events.RoundBegan)
def _(draft: Draft, event: events.RoundBegan) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.round += 1
        encounter.acted = ()


@applies(events.RoundEnded)
def _(draft: Draft, event: events.RoundEnded) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.current = ""


def _is_hidden(draft: Draft, name: CharacterId) -> bool:
    who = draft.campaign.characters.get(name)
    return who is not None and who.hidden


@applies(events.TurnBegan)
def _(draft: Draft, event: events.TurnBegan) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.current = event.character
        encounter.spent = encounter.spent_on = NOTHING
        if not _is_hidden(draft, event.character):  # turns stand in requests for dice, which all may read
            encounter.turn += 1
            draft.reset_requests()


@applies(events.TurnSpent)
def _(draft: Draft, event: events.TurnSpent) -> None:
    if (encounter := draft.encounter()) is not None and encounter.current == event.character:
        encounter.spent = _plus(encounter.spent, event.what, event.amount)
        if event.about:
            encounter.spent_on = {
                **encounter.spent_on,
                event.what: (*encounter.spent_on.get(event.what, ()), event.about),
            }


@applies(events.TurnEnded)
def _(draft: Draft, event: events.TurnEnded) -> None:
    if (encounter := draft.encounter()) is not None:
        if event.character not in encounter.acted:
            encounter.acted = (*encounter.acted, event.character)
        encounter.current = ""
