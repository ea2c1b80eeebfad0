"""Status of a campaign at one moment: the fight and its turns, or the scene and those in it, as plain values.

It is made only from a state, so a state that a seat may see gives a status that the seat may see. The command line
prints it; a page or a bot may take the values as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial

import attrs

from rollbook.domain.base.identifiers import CharacterId, SeatName
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.board import NO_PIECE, Board, Piece
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState, Character, Condition, equal_in_order
from rollbook.domain.state.encounters import Encounter, WaitingScene
from rollbook.domain.state.lookup import changed_people, shown_names
from rollbook.projections.in_words import HIT_POINTS

DAY, HOUR, MINUTE = 86_400, 3_600, 60
MOST_ROUNDS = 100
"""Longest time given in rounds; a longer one is in minutes and hours."""


class Turn(StrEnum):
    """Position of a fighter in the round."""

    NOW = "now"
    ACTED = "acted"
    TO_COME = "to come"
    NONE = ""


@attrs.frozen(kw_only=True)
class ConditionStatus(Record):
    """A condition, and its remaining time: ``seconds`` by the clock (None if no clock ends it), in words ``left``."""

    name: str
    detail: str = ""
    seconds: int | None = None
    left: str = ""


@attrs.frozen(kw_only=True)
class CharacterStatus(Record):
    """A character in play. ``label`` tells two of one name apart; ``hp`` is ``left`` of ``most`` in the sheet's words.

    ``armour_class`` is the sheet's, None for a reader who is not told it; ``initiative`` is the score behind the order of
    turns, None for one who has none. ``covered`` are conditions that need not be shown, because the board says them in
    other words.
    """

    character: CharacterId
    name: str
    label: str
    kind: CharacterKind
    seat: SeatName = ""
    turn: Turn = Turn.NONE
    is_next: bool = False
    is_hidden: bool = False
    hp: str = ""
    left: int | None = None
    most: int | None = None
    armour_class: int | None = None
    initiative: int | None = None
    where: str = ""
    away: str = ""
    conditions: tuple[ConditionStatus, ...] = ()
    covered: tuple[ConditionStatus, ...] = ()
    resources: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class FightStatus(Record):
    """The fight. ``current`` has the turn ("" between turns); ``left`` is what is left of it, None if the game does not say."""

    title: str
    round: int
    current: CharacterId
    left: tuple[str, ...] | None
    next: tuple[CharacterId, ...]
    fighters: tuple[CharacterStatus, ...]


@attrs.frozen(kw_only=True)
class WaitingStatus(Record):
    """A scene that waits: what it is called, the ``round`` of its fight (0 without one), and ``whose`` turn it is there.

    ``whose`` is a label, "" between turns. ``fighters`` are the ids of those who fight there.
    """

    number: int
    name: str
    round: int = 0
    whose: str = ""
    fighters: tuple[CharacterId, ...] = ()


@attrs.frozen(kw_only=True)
class ChoiceStatus(Record):
    """A choice that a character has still to make, and the keys of its options."""

    character: CharacterId
    label: str
    choice: str
    options: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Status(Record):
    """Status of a campaign. ``clock`` is seconds since it began; ``characters`` are those in play who are in no fight.

    ``elsewhere`` are the scenes that wait, whose fighters are among them too.
    ``mixed`` is the code of the lines in the dice of a session that is open, "" without any.
    ``lines`` are other values that the game counts, a label and a text each. ``paused``: the X-card is on the table.
    ``faults`` are sentences about values that are missing here because the ruleset failed.
    """

    campaign: str
    session: int
    session_title: str
    session_open: bool
    mixed: str
    scene: str
    clock: int
    paused: bool
    fight: FightStatus | None
    characters: tuple[CharacterStatus, ...]
    lines: tuple[tuple[str, str], ...]
    choices: tuple[ChoiceStatus, ...]
    elsewhere: tuple[WaitingStatus, ...] = ()
    faults: tuple[str, ...] = ()


def status_of(campaign: CampaignState, rulebook: Rulebook) -> Status:
    """The status of a campaign by its ruleset, or by the plain sheet where there is none."""
    return Statuses(rulebook).of(campaign)


class Statuses:
    """Statuses of one campaign at several moments: a character who did not change between two is taken over.

    So a moment costs little more than what changed since the one that was asked for before it.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._last: tuple[_Moment, Status] | None = None
        self._parts: set[str] = {"ruleset", "settings", "seats"}
        """Parts of the campaign that any sheet was made from so far, or its words for a reader."""

    def of(self, campaign: CampaignState) -> Status:
        """The status at a moment; ``faults`` are those of the moment alone."""
        if self._last is not None and self._last[0].campaign is campaign and campaign.sealed:
            return self._last[1]
        board = self._rulebook.board(campaign)
        moment = self._moment(campaign, board)
        everybody, labels = moment.everybody, moment.labels
        faults = self._rulebook.take_faults()
        order = frozenset(campaign.encounter.order) if campaign.encounter else ()
        session = campaign.session
        found = Status(
            campaign=campaign.name,
            session=session.number if session else 0,
            session_title=session.title if session else "",
            session_open=session is not None and session.is_open,
            mixed=session.mix_code if session is not None and session.is_open else "",
            scene=campaign.scene,
            clock=campaign.clock,
            paused=campaign.paused,
            fight=_fight(campaign.encounter, board, everybody) if campaign.encounter else None,
            characters=tuple(found for who, found in everybody.items() if who not in order),
            lines=board.lines,
            choices=tuple(
                ChoiceStatus(character=who.id, label=labels[who.id], choice=choice, options=held.keys)
                for who in campaign.characters.values()
                if who.choices and who.present
                for choice, held in who.choices.items()
            ),
            elsewhere=tuple(_waiting(scene, everybody) for scene in campaign.elsewhere),
            faults=faults,
        )
        self._last = None if faults else (moment, found)
        return found

    def _moment(self, campaign: CampaignState, board: Board) -> _Moment:
        last, people = self._last[0] if self._last is not None else None, campaign.characters
        changed = None if last is None else self._changed(last, campaign, board)
        if last is None or changed is None:
            present = [who for who in people.values() if who.present]
            labels = shown_names(present)
            made = {who.id: self._made(who, campaign, board, labels[who.id]) for who in present}
            return _Moment(campaign, board, labels, made)
        again = {who: self._made(people[who], campaign, board, last.labels[who]) for who in changed}
        return _Moment(campaign, board, last.labels, last.everybody | again)

    def _made(self, who: Character, campaign: CampaignState, board: Board, label: str) -> CharacterStatus:
        said = self._rulebook.said_sheet(who, campaign)
        self._parts |= said.looked_at
        return _character(who, campaign, said.sheet, board, label)

    def _changed(self, last: _Moment, campaign: CampaignState, board: Board) -> set[CharacterId] | None:
        """The characters in play who may have another status than at the last moment; None if that may be anybody."""
        before = last.campaign
        others = changed_people(before.characters, campaign.characters)
        if others is None:
            return None
        moved = (part for part in self._parts if not equal_in_order(before.part(part), campaign.part(part)))
        if any(part != "characters" or others for part in moved):
            return None
        found = {who.id for who in others}
        found |= _turned(before.encounter, campaign.encounter)
        found |= frozenset(last.board.next) ^ frozenset(board.next)
        pieces = last.board.pieces.get
        found.update(who for who, now in board.pieces.items() if now is not (was := pieces(who)) and now != was)
        if _time(before, last.board) != _time(campaign, board):
            found.update(who for who, each in last.everybody.items() if each.conditions or each.covered)
        return found & last.everybody.keys()


@attrs.frozen
class _Moment:
    """The moment that was asked for last: the characters in play, each with the name by which it is shown."""

    campaign: CampaignState
    board: Board
    labels: Mapping[CharacterId, str]
    everybody: dict[CharacterId, CharacterStatus]


def _turned(was: Encounter | None, now: Encounter | None) -> frozenset[CharacterId]:
    """The fighters whose place in the fight changed."""
    if was is now:
        return frozenset()
    if was is None or now is None or (was.order, was.scores) != (now.order, now.scores):
        return frozenset((*(was or _NO_FIGHT).order, *(now or _NO_FIGHT).order))
    return (frozenset(was.acted) ^ frozenset(now.acted)) | {was.current, now.current}


_NO_FIGHT = Encounter(title="")


def _time(campaign: CampaignState, board: Board) -> tuple[int, int]:
    """The moment of the clock, and the length of the rounds in which times are told."""
    return campaign.clock, board.round_seconds if campaign.encounter else 0


def _fight(encounter: Encounter, board: Board, everybody: dict[CharacterId, CharacterStatus]) -> FightStatus:
    current = encounter.current if encounter.current in everybody else ""
    return FightStatus(
        title=encounter.title,
        round=encounter.round,
        current=current,
        left=board.left if current else None,
        next=tuple(who for who in board.next if who in everybody),
        fighters=tuple(everybody[who] for who in encounter.order if who in everybody),
    )


def _waiting(scene: WaitingScene, everybody: Mapping[CharacterId, CharacterStatus]) -> WaitingStatus:
    """A scene that waits; nothing is said of a fight in which the reader knows nobody."""
    fight = scene.encounter
    fighters = tuple(who for who in fight.order if who in everybody) if fight is not None else ()
    if fight is None or not fighters:
        return WaitingStatus(number=scene.number, name=scene.name)
    whose = everybody[fight.current].label if fight.current in everybody else ""
    return WaitingStatus(number=scene.number, name=scene.name, round=fight.round, whose=whose, fighters=fighters)


def _character(who: Character, campaign: CampaignState, sheet: Sheet, board: Board, label: str) -> CharacterStatus:
    piece = board.pieces.get(who.id, NO_PIECE)
    left, most, armour_class = (sheet.value(key) for key in ("hp", "max_hp", "ac"))
    made = partial(_condition, piece=piece, board=board, campaign=campaign)
    return CharacterStatus(
        character=who.id,
        name=who.name,
        label=label,
        kind=who.kind,
        seat=who.seat,
        turn=_turn(who, campaign.encounter),
        is_next=who.id in board.next,
        is_hidden=who.hidden,
        hp=str(left) if left else dict(sheet.words).get(HIT_POINTS, ""),
        left=left.amount if left else None,
        most=most.amount if most else None,
        armour_class=armour_class.amount if armour_class else None,
        initiative=_initiative(who, campaign.encounter),
        where=piece.where,
        away=piece.away,
        conditions=tuple(made(each) for each in who.conditions.values() if each.name not in piece.covered),
        covered=tuple(made(each) for each in who.conditions.values() if each.name in piece.covered),
        resources=piece.resources,
    )


def _initiative(who: Character, encounter: Encounter | None) -> int | None:
    """The score by which a fighter has their place. Who rolled none is recorded with 0."""
    scored = dict(zip(encounter.order, encounter.scores, strict=False)) if encounter else {}
    return scored.get(who.id) or None


def _turn(who: Character, encounter: Encounter | None) -> Turn:
    if encounter is None or who.id not in encounter.order:
        return Turn.NONE
    if who.id == encounter.current:
        return Turn.NOW
    return Turn.ACTED if who.id in encounter.acted else Turn.TO_COME


def _condition(condition: Condition, piece: Piece, board: Board, campaign: CampaignState) -> ConditionStatus:
    seconds = max(condition.until - campaign.clock, 0) if condition.until else None
    left = piece.lasts.get(condition.name, "")
    if not left and seconds is not None:
        left = time_left(seconds, board.round_seconds if campaign.encounter else 0)
    detail = "" if f"({condition.detail})" in condition.name else condition.detail
    return ConditionStatus(name=condition.name, detail=detail, seconds=seconds, left=left)


def time_left(seconds: int, round_seconds: int = 0) -> str:
    """A time in words: in rounds where they have a length and are not too many, else in the two largest units."""
    rounds = -(-seconds // round_seconds) if round_seconds else 0
    if 0 < rounds <= MOST_ROUNDS:
        return counted(rounds, "round")
    parts = []
    for length, unit in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1, "s")):
        many, seconds = divmod(seconds, length)
        if many:
            parts.append(f"{many} {unit}")
    return " ".join(parts[:2]) or "over now"
