"""Actions from text that a person typed for a verb, in a line or a form, and how they are taken."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from rollbook.application.lines import party_words, verb_line
from rollbook.application.lines.answering import Answering
from rollbook.application.lines.line_answer import Performed
from rollbook.application.pictures import keeping, showing
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.playing.request import ActionRequest
from rollbook.application.view import CampaignView
from rollbook.domain.actions.handouts import ShowsPicture
from rollbook.domain.actions.joining import unseen_id
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.dice.record import PHYSICAL
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterKind, DiceRolled, ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import NEW_NAMES
from rollbook.domain.rules.action import Action, build, parameters
from rollbook.domain.rules.spelling import READER
from rollbook.domain.state.campaign_state import CampaignState


def turn_of(
    campaign: CampaignView,
    verb: type[Action],
    spoken: verb_line.ParsedLine,
    *,
    seat: str | None,
    said: Callable[[str], None],
    then: CampaignState | None = None,
) -> ActionRequest:
    """The request that was meant. ``seat`` acts if ``spoken`` names none; ``said`` gets a pattern's unused values.

    The verb is one that the campaign had ``then``, or has now as it has just been read. Raises RollbookError for an invalid
    request.
    """
    state = campaign.state if then is None else then
    acting = seat if spoken.seat is None else spoken.seat
    given, taken = spoken.given, dict[str, ParameterValue]()
    if given.get(verb.pattern):
        given, taken = campaign.session.surroundings.patterns(state, verb, given, said)
    return ActionRequest(
        action=build(verb, {**placeholders(verb), **taken, **_read(verb, given, campaign, spoken.secret, acting)}),
        seat=None if acting is None or verb.anonymous else verb_line.find_seat(state, acting),
        dice=spoken.dice,
        secret=spoken.secret,
        reason=spoken.why,
    )


def turn_before(
    campaign: CampaignView, action: ActionNumber, said: Sequence[str], *, seat: str | None, why: str = ""
) -> ActionRequest:
    """The request that a line in full means just before an action, with the verbs and the characters of that moment.

    ``why`` is its reason if the words give none. Raises RollbookError.
    """
    then = campaign.session.history.looking_back(lambda history: _state_before(history, action))
    rulebook = campaign.session.rulebook
    rulebook.require(then)
    verb = rulebook.verb(then, said[0])
    spoken = verb_line.parse(verb, (*(("--why", why) if why else ()), *said[1:]))
    return turn_of(campaign, verb, spoken, seat=seat, said=_unsaid, then=then)


def _unsaid(_: str) -> None:
    """A preview has no room for the unused values of a pattern."""


def _state_before(history: History, action: ActionNumber) -> CampaignState:
    history.check(action)
    return history.state_before(action)


def turns_of(
    campaign: CampaignView,
    verb: type[Action],
    spoken: verb_line.ParsedLine,
    *,
    seat: str | None,
    said: Callable[[str], None],
) -> tuple[ActionRequest, ...]:
    """The action requests that were meant, one for each character if a verb is said of several: see ``turn_of``."""
    if readers := _readers(campaign, verb, spoken.given):
        apart = (attrs.evolve(spoken, given={**spoken.given, "to": reader}) for reader in readers)
        return tuple(turn_of(campaign, verb, one, seat=seat, said=said) for one in apart)
    about = verb_line.said_of_several(verb)
    named = about and spoken.given.get(about.name)
    known_only = verb_line.is_players(campaign.state, spoken.seat or seat)
    if about is None or not named or not _are_several(named, campaign.state, known_only=known_only):
        return (turn_of(campaign, verb, spoken, seat=seat, said=said),)
    names = [name.strip() for name in named.split(",") if name.strip()]
    everybody = _everybody(names, campaign, known_only=known_only)
    each = [attrs.evolve(spoken, given={**spoken.given, about.name: name}) for name in everybody]
    turns = tuple(turn_of(campaign, verb, one, seat=seat, said=said) for one in each)
    if not turns:
        raise verb_line.LineError(
            "There is nobody in the party." if verb_line.PARTY in names else f"{about.name} names nobody."
        )
    people = [getattr(turn.action, about.name) for turn in turns]
    twice = next((who for who in people if people.count(who) > 1), None)
    if twice:
        raise verb_line.LineError(f"{twice} is named twice.")
    return turns


def _readers(campaign: CampaignView, verb: type[Action], given: Mapping[str, str]) -> tuple[str, ...]:
    """The readers to whom something is said or given, if there are several of them: each gets it in an action of their own."""
    to = given.get("to", "")
    is_for_readers = any(each.name == "to" and each.of == READER for each in parameters(verb))
    if not is_for_readers or "," not in to or to in campaign.state.people:
        return ()
    return tuple(dict.fromkeys(reader for each in to.split(",") if (reader := each.strip())))


def _are_several(named: str, state: CampaignState, *, known_only: bool) -> bool:
    return "," in named or named == verb_line.PARTY or party_words.is_meant(named, state, known_only=known_only)


def _everybody(names: Sequence[str], campaign: CampaignView, *, known_only: bool) -> list[str]:
    """The names of a list, with those that a party word stands for. Raises NotFound for one that names nobody."""
    state, side = campaign.state, campaign.session.rulebook.side
    present = (who for who in state.characters.values() if who.present)
    party = [who.id for who in present if who.kind is CharacterKind.PLAYER_CHARACTER]

    def meant(name: str) -> tuple[bool, Sequence[str]]:
        if name == verb_line.PARTY:
            return False, party
        if party_words.is_meant(name, state, known_only=known_only):
            return True, party_words.people_meant(name, state, known_only=known_only, side=side)
        return False, (name,)

    return party_words.without_repeats([meant(name) for name in names])


def unused_words(faces: Sequence[int]) -> str:
    """The remark on typed dice that are not used; "" if all are."""
    if not faces:
        return ""
    are, them = ("is", "it") if len(faces) == 1 else ("are", "them")
    return f"the {', '.join(map(str, faces))} that you typed {are} not used: nothing asks for {them} now"


def unused_dice(turn: ActionRequest, *entries: RecordedEntry) -> tuple[str, ...]:
    """A sentence for typed dice that the action did not use, as a miss does damage dice; none if it took them all."""
    rolls = (event for entry in entries for event in entry.events if isinstance(event, DiceRolled))
    used = sum(source.dice for roll in rolls for source in roll.sources if source.kind == PHYSICAL)
    said = unused_words((turn.dice or ())[used:])
    return (f"{said[:1].upper()}{said[1:]}.",) if said else ()


def _read(
    verb: type[Action], given: Mapping[str, str], campaign: CampaignView, is_secret: bool, seat: str | None
) -> dict[str, ParameterValue]:
    """Read the given values. A player names no hidden character; a hidden newcomer has no id that an open one gets."""
    state, side = campaign.state, campaign.session.rulebook.side
    known_only = not verb.anonymous and verb_line.is_players(state, seat)
    found = verb_line.read_parameters(verb, given, state, known_only=known_only, side=side)
    chosen = found.get("id") if verb.verb in NEW_NAMES and is_secret else None
    return found | {"id": unseen_id(str(chosen), secret=True)} if chosen else found


def perform(
    answer: Answering, verb: type[Action], said: Sequence[str], *, seat: str | None = None, command: str = ""
) -> Performed:
    """Take the action that these words after its verb mean. Raises RollbookError; then nothing was recorded.

    The verb is one that the state of the campaign has, which has just been read. ``seat`` acts where the words do not say who;
    ``command`` is an id of the command, see ``Campaign.play``.
    """
    spoken = verb_line.parse(verb, said)
    if verb.anonymous and (spoken.why or spoken.secret):
        raise verb_line.LineError(f"{verb.verb} asks nobody why, and everybody sees it: leave out --why and --secret.")
    unused: list[str] = []
    acting = None if verb.anonymous else spoken.seat

    path = spoken.given.get("picture", "") if issubclass(verb, ShowsPicture) else ""
    pictures = (answer.read_picture(path),) if path else ()

    def take(campaign: CampaignView) -> tuple[RecordedEntry, ...]:
        turns = turns_of(campaign, verb, spoken, seat=seat, said=unused.append)
        for picture in pictures:
            turns = tuple(showing(turn, picture) for turn in turns)
        with keeping(campaign.session.log.store, campaign.id, *(pictures if campaign is answer.campaign() else ())):
            entries = campaign.session.take(*turns, command=command)
        unused.extend(unused_dice(turns[-1], *entries))
        return entries

    with answer.answering(acting, take):
        before = answer.seen().state
        entries = take(answer.campaign())
    return Performed(acting, before, entries, tuple(dict.fromkeys(unused)))
