"""Fold of events about the campaign as a whole: its rules, seats, sessions, scenes, clock and encounters."""

from collections.abc import Sequence

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.state.campaign_state import PRESENT, BoardMap, CampaignState, Seat, Session, Stretch
from rollbook.domain.state.encounters import Encounter, WaitingScene
from rollbook.domain.state.fold.draft import Draft, applies, in_order, interrupt, is_hidden, plus, without
from rollbook.domain.state.sealing import NOTHING


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
    """A portrait or map that was removed for good leaves the one before it; without a media type there is none any more.

    A map is there to be seen as long as it lies on the board.
    """
    if event.on_board:
        if event.digest or not event.media:
            draft.writable("board_map").board_map = _map_of(event) if event.digest else None
        return
    if event.digest:
        campaign = draft.writable("pictures")
        campaign.pictures = {**campaign.pictures, event.digest: event.media}
    if event.portrait_of and (event.digest or not event.media):
        campaign = draft.writable("portraits")
        others = without(campaign.portraits, event.portrait_of)
        campaign.portraits = {**others, event.portrait_of: event.digest} if event.digest else others


def _map_of(event: events.PictureShown) -> BoardMap:
    return BoardMap(
        digest=event.digest,
        media=event.media,
        width=event.width,
        height=event.height,
        alt=event.alt,
        across=event.across,
        west=event.west,
        south=event.south,
    )


@applies(events.SceneFramed)
def _(draft: Draft, event: events.SceneFramed) -> None:
    campaign = draft.writable("scene")
    draft.touched.update(("scenes", "scene_number"))
    campaign.scene = event.title
    campaign.scenes += 1
    campaign.scene_number = campaign.scenes
    draft.reset_requests()
    interrupt(draft)


@applies(events.SceneSetAside)
def _(draft: Draft, _: events.SceneSetAside) -> None:
    campaign = draft.writable("elsewhere")
    fight, number = campaign.encounter, campaign.scene_number
    if fight is not None:
        fight.seal()
        draft.writable("encounter").encounter = None
        _send(draft, fight, elsewhere=True)
    waiting = WaitingScene(number=number, title=campaign.scene, clock=campaign.clock, encounter=fight)
    campaign.elsewhere = (*_others(campaign, number), waiting)
    draft.reset_requests()
    interrupt(draft)


@applies(events.SceneResumed)
def _(draft: Draft, event: events.SceneResumed) -> None:
    campaign = draft.writable("scene")
    draft.touched.add("scene_number")
    campaign.scene, campaign.scene_number = event.title, event.scene
    waiting = campaign.waiting_scene(event.scene)
    if waiting is not None:
        draft.writable("elsewhere").elsewhere = _others(campaign, event.scene)
        draft.writable("clock").clock = waiting.clock
        draft.writable("encounter").encounter = waiting.encounter
        _send(draft, waiting.encounter, elsewhere=False)
    draft.reset_requests()
    interrupt(draft)


@applies(events.SceneEnded)
def _(draft: Draft, event: events.SceneEnded) -> None:
    campaign = draft.writable("elsewhere")
    waiting = campaign.waiting_scene(event.scene)
    if waiting is not None:
        campaign.elsewhere = _others(campaign, event.scene)
        _send(draft, waiting.encounter, elsewhere=False)


def _others(campaign: CampaignState, number: int) -> tuple[WaitingScene, ...]:
    """The scenes that wait, but for one."""
    return tuple(scene for scene in campaign.elsewhere if scene.number != number)


def _send(draft: Draft, fight: Encounter | None, *, elsewhere: bool) -> None:
    """Note of all who take part in a fight whether it is elsewhere."""
    for name in fight.order if fight is not None else ():
        if (who := draft.character(name)) is not None:
            who.elsewhere = elsewhere
    draft.regroup(PRESENT)


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
        _fetch(draft, event.order)
        if event.order:
            interrupt(draft, *event.order)


def _fetch(draft: Draft, names: Sequence[CharacterId]) -> None:
    """Take those who were in a fight elsewhere out of it: nobody is in two."""
    known = draft.campaign.characters
    away = [name for name in names if name in known and known[name].elsewhere]
    if not away:
        return
    for name in away:
        if (who := draft.character(name)) is not None:
            who.elsewhere = False
    draft.regroup(PRESENT)
    campaign = draft.writable("elsewhere")
    campaign.elsewhere = tuple(
        attrs.evolve(scene, encounter=scene.encounter.without(away)) if scene.encounter is not None else scene
        for scene in campaign.elsewhere
    )


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
