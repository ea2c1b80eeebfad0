"""What changes an encounter: rounds and turns."""

from rollbook.domain import events
from rollbook.domain.state.campaign_state import NOTHING, Encounter
from rollbook.domain.state.fold.draft import Draft, applies, interrupt, is_hidden, plus


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
            interrupt(draft, *event.order)


@applies(events.RoundBegan)
def _(draft: Draft, event: events.RoundBegan) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.round += 1
        encounter.acted = ()


@applies(events.RoundEnded)
def _(draft: Draft, event: events.RoundEnded) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.current = ""


@applies(events.TurnBegan)
def _(draft: Draft, event: events.TurnBegan) -> None:
    if (encounter := draft.encounter()) is not None:
        encounter.current = event.character
        encounter.spent = encounter.spent_on = NOTHING
        if not is_hidden(draft, event.character):  # turns stand in requests for dice, which all may read
            encounter.turn += 1
            draft.reset_requests()


@applies(events.TurnSpent)
def _(draft: Draft, event: events.TurnSpent) -> None:
    if (encounter := draft.encounter()) is not None and encounter.current == event.character:
        encounter.spent = plus(encounter.spent, event.what, event.amount)
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
