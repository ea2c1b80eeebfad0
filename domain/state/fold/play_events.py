"""What happens to characters in play: dice, damage, conditions, pools and powers."""

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.state.campaign_state import NOTHING, Condition, Usage
from rollbook.domain.state.fold.draft import Draft, applies, in_order, interrupt, plus, without
from rollbook.domain.state.fold.short_events import BriefCheck, BriefRoll


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
            data=in_order(event.data) if event.data else NOTHING,
        )
        who.conditions = {**who.conditions, event.condition: began}


@applies(events.ConditionEnded)
def _(draft: Draft, event: events.ConditionEnded) -> None:
    if (who := draft.character(event.character)) is not None:
        who.conditions = without(who.conditions, event.condition)


def _pool(draft: Draft, holder: CharacterId, pool: str, amount: int) -> None:
    if not holder:
        campaign = draft.writable("pools")
        campaign.pools = plus(campaign.pools, pool, amount)
    elif (who := draft.character(holder)) is not None:
        who.pools = plus(who.pools, pool, amount)


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
        interrupt(draft, event.character)
