"""Fold of events about characters: coming and going, their sheets, and what happens to them in play."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import (
    WITH_CONDITIONS,
    Character,
    Condition,
    Gear,
    OpenChoice,
    StoredSheet,
    Usage,
)
from rollbook.domain.state.fold.draft import (
    BriefCheck,
    BriefRoll,
    Draft,
    applies,
    in_order,
    interrupt,
    plus,
    sum_by_name,
    without,
)
from rollbook.domain.state.sealing import NOTHING

_OF_A_GAME = ("level", "lost", "stats", "traits", "trait_data", "pools", "conditions", "choices", "chosen", "usages")
"""The fields of a character that only the ruleset of the moment understands, besides what it takes things for."""


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


@applies(events.CharacterJoined)
def _(draft: Draft, event: events.CharacterJoined) -> None:
    draft.newcomer(Character(id=event.character, name=event.name, kind=event.kind, seat=event.seat))


_CHANGES: dict[type[Event], tuple[str, Callable[[Character, Any], object]]] = {
    events.CharacterRenamed: ("name", lambda who, event: event.name),
    events.CharacterHidden: ("hidden", lambda who, event: True),
    events.CharacterRevealed: ("hidden", lambda who, event: False),
    events.ControlPassed: ("seat", lambda who, event: event.seat),
    events.CharacterCrossed: ("arrival_baseline", lambda who, event: in_order(event.measures)),
    events.ExperienceAwarded: ("experience", lambda who, event: who.experience + event.amount),
    events.LevelGained: ("level", lambda who, event: who.level + event.levels),
    events.HitPointsRestored: ("lost", lambda who, event: who.lost - event.amount),
    events.HitPointsCorrected: ("lost", lambda who, event: who.lost - event.amount),
    events.ConditionEnded: ("conditions", lambda who, event: without(who.conditions, event.condition)),
}
"""The field of a character that an event changes, and its new value."""


@applies(*_CHANGES)
def _(draft: Draft, event: Any) -> None:
    if (who := draft.character(event.character)) is not None:
        field, after = _CHANGES[event.__class__]
        setattr(who, field, after(who, event))
        if field == "conditions":
            draft.regroup(WITH_CONDITIONS)


@applies(events.CharacterLeft)
def _(draft: Draft, event: events.CharacterLeft) -> None:
    draft.leave(event.character)


@applies(events.StatChanged)
def _(draft: Draft, event: events.StatChanged) -> None:
    if (who := draft.character(event.character)) is not None:
        who.stats = plus(who.stats, event.stat, event.amount)


@applies(events.TraitGained)
def _(draft: Draft, event: events.TraitGained) -> None:
    if (who := draft.character(event.character)) is not None:
        who.traits = {**who.traits, event.trait: event.kind}
        if event.data:
            who.trait_data = {**who.trait_data, event.trait: in_order(event.data)}
        elif event.trait in who.trait_data:
            who.trait_data = without(who.trait_data, event.trait)


@applies(events.TraitLost)
def _(draft: Draft, event: events.TraitLost) -> None:
    if (who := draft.character(event.character)) is not None:
        who.traits = without(who.traits, event.trait)
        if event.trait in who.trait_data:
            who.trait_data = without(who.trait_data, event.trait)


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
        interrupt(draft, event.character)


@applies(events.SheetSetAside)
def _(draft: Draft, event: events.SheetSetAside) -> None:
    if (who := draft.character(event.character)) is None:
        return
    since = in_order(event.since)
    behind = {key: attrs.evolve(sheet, since=sum_by_name(sheet.since, since)) for key, sheet in who.aside.items()}
    uses = {item: held.use for item, held in who.gear.items() if held.use}
    fields = {name: getattr(who, name) for name in _OF_A_GAME}
    who.aside = {**behind, event.ruleset: StoredSheet(**fields, experience=who.experience, uses=uses, since=NOTHING)}
    who.gear = {item: Gear(count=held.count) for item, held in who.gear.items()}
    who.level = who.lost = 0
    who.stats = who.traits = who.trait_data = who.pools = who.conditions = who.choices = who.chosen = who.usages = (
        NOTHING
    )
    who.arrival_baseline = NOTHING
    draft.regroup(WITH_CONDITIONS)


@applies(events.SheetTakenUp)
def _(draft: Draft, event: events.SheetTakenUp) -> None:
    if (who := draft.character(event.character)) is None or event.ruleset not in who.aside:
        return
    sheet = who.aside[event.ruleset]
    for name in _OF_A_GAME:
        setattr(who, name, getattr(sheet, name))
    who.gear = {item: Gear(count=held.count, use=sheet.uses.get(item, ())) for item, held in who.gear.items()}
    who.aside = without(who.aside, event.ruleset)
    draft.regroup(WITH_CONDITIONS)


@applies(events.ChoiceOffered)
def _(draft: Draft, event: events.ChoiceOffered) -> None:
    if (who := draft.character(event.character)) is not None:
        options = tuple(attrs.evolve(option, data=in_order(option.data)) for option in event.options)
        who.choices = {**who.choices, event.choice: OpenChoice(options=options, data=in_order(event.data))}


@applies(events.ChoiceMade)
def _(draft: Draft, event: events.ChoiceMade) -> None:
    if (who := draft.character(event.character)) is not None:
        who.choices = without(who.choices, event.choice)
        who.chosen = {**who.chosen, event.choice: event.picked}


@applies(events.CheckResolved, BriefCheck)
def _(draft: Draft, event: events.CheckResolved | BriefCheck) -> None:
    interrupt(draft, event.character)


@applies(events.DiceRolled, BriefRoll)
def _(draft: Draft, event: events.DiceRolled | BriefRoll) -> None:
    """Notes the requests of a turn, so that the same request after an undo is known again (see ``dice.supply``)."""
    if event.occasion:
        draft.note_request(event)


@applies(events.DamageTaken)
def _(draft: Draft, event: events.DamageTaken) -> None:
    if (who := draft.character(event.character)) is not None:
        who.lost += event.amount
        interrupt(draft, event.character)


@applies(events.ConditionBegan)
def _(draft: Draft, event: events.ConditionBegan) -> None:
    if (who := draft.character(event.character)) is not None:
        began = Condition(
            name=event.condition,
            since=draft.campaign.clock,
            until=event.until,
            source=event.source,
            detail=event.detail,
            data=in_order(event.data) if event.data else NOTHING,
        )
        who.conditions = {**who.conditions, event.condition: began}
        draft.regroup(WITH_CONDITIONS)


_POOLS: dict[type[Event], Callable[[Mapping[str, int], str, int], Mapping[str, int]]] = {
    events.PoolGained: plus,
    events.PoolSpent: lambda pools, pool, amount: plus(pools, pool, -amount),
    events.PoolBecame: lambda pools, pool, amount: {**pools, pool: amount},
}
"""The pools of somebody, or the GM's, after an event about one of them."""


@applies(*_POOLS)
def _(draft: Draft, event: Any) -> None:
    owner = draft.character(event.holder) if event.holder else draft.writable("pools")
    if owner is not None:
        owner.pools = _POOLS[event.__class__](owner.pools, event.pool, event.amount)


@applies(events.PowerUsed)
def _(draft: Draft, event: events.PowerUsed) -> None:
    if (who := draft.character(event.character)) is not None:
        key = f"{event.power}:{event.target}" if event.target else event.power
        before = who.usages.get(key)
        count = before.count + 1 if before else 1
        who.usages = {**who.usages, key: Usage(count=count, last=draft.campaign.clock)}
        interrupt(draft, event.character)
