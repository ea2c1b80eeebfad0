"""Fold of events about the campaign as a whole: its rules, seats, sessions, scenes, clock and encounters."""

import attrs

from rollbook.domain import events
from rollbook.domain.state.campaign_state import NOTHING, Encounter, Seat, Session, Stretch
from rollbook.domain.state.fold.draft import Draft, applies, in_order, interrupt, is_hidden, plus, without


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
    campaign.settings = in_order(event.settings)
    interrupt(draft)


@applies(events.SeatTaken)
def _(draft: Draft, event: events.SeatTaken) -> None:
    campaign = draft.writable("seats")
    known = campaign.seats.get(event.seat)
    called = known.called if known is not None else ""
    seat = Seat(name=event.seat, role=event.role, number=event.number, called=called)
    campaign.seats = {**campaign.seats, event.seat: seat}


@applies(events.SeatLeft)
def _(draft: Draft, event: events.SeatLeft) -> None:
    campaign = draft.writable("seats")
    seat = campaign.seats.get(event.seat)
    if seat is not None:
        campaign.seats = {**campaign.seats, event.seat: attrs.evolve(seat, present=False)}


@applies(events.SeatRenamed, events.SeatNamed)
def _(draft: Draft, event: events.SeatRenamed | events.SeatNamed) -> None:
    campaign = draft.writable("seats")
    seat = campaign.seats.get(event.seat)
    if seat is not None:
        called = "" if event.name == event.seat else event.name
        campaign.seats = {**campaign.seats, event.seat: attrs.evolve(seat, called=called)}


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


@applies(events.PictureShown)
def _(draft: Draft, event: events.PictureShown) -> None:
    """A portrait that was removed for good leaves the one before it; one without a media type is no portrait any more."""
    if event.digest:
        campaign = draft.writable("pictures")
        campaign.pictures = {**campaign.pictures, event.digest: event.media}
    if event.portrait_of and (event.digest or not event.media):
        campaign = draft.writable("portraits")
        others = without(campaign.portraits, event.portrait_of)
        campaign.portraits = {**others, event.portrait_of: event.digest} if event.digest else others


@applies(events.SceneFramed)
def _(draft: Draft, event: events.SceneFramed) -> None:
    campaign = draft.writable("scene")
    draft.touched.add("scenes")
    campaign.scene = event.title
    campaign.scenes += 1
    draft.reset_requests()
    interrupt(draft)


@applies(events.XCardRaised, events.XCardAnswered)
def _(draft: Draft, event: events.XCardRaised | events.XCardAnswered) -> None:
    draft.writable("paused").paused = isinstance(event, events.XCardRaised)


@applies(events.TimePassed)
def _(draft: Draft, event: events.TimePassed) -> None:
    draft.writable("clock").clock += event.seconds
    campaign = draft.writable("stretch")
    before = campaign.stretch
    goes_on = before is not None and before.activity == event.activity
    if before is None or not goes_on or (before.interrupted and event.seconds):  # 0 seconds of it end an interruption
        before = Stretch(activity=event.activity, seconds=0)
    seconds = before.seconds + event.seconds
    campaign.stretch = Stretch(activity=event.activity, seconds=seconds) if event.activity else None


@applies(events.EncounterBegan, events.EncounterEnded)
def _(draft: Draft, event: events.EncounterBegan | events.EncounterEnded) -> None:
    begun = Encounter(title=event.title) if isinstance(event, events.EncounterBegan) else None
    draft.writable("encounter").encounter = begun
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
