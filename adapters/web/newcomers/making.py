"""A newcomer in the making: the answers in an address or a form, their faults, and the dice that have fallen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import attrs
from starlette.datastructures import ImmutableMultiDict

from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.fields import Field, default_text, field_of, label_of
from rollbook.application.forms.questionnaire import Arrival, Questionnaire, Topic, topic_of
from rollbook.application.forms.verb_form import DICE, SECRET, Filled, text_of
from rollbook.application.playing.request import acting_seat
from rollbook.application.verbs import verb_of
from rollbook.domain.actions.dice import PHYSICAL, STREAM, dice_of_seat
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.events import CharacterKind, DiceRolled
from rollbook.domain.rules.parameters import Parameter
from rollbook.projections.numbers import action_number

JOIN = "join"
ASKED, STEP, ROLLED, REQUEST = "new.asked", "new.step", "new.rolled", "new.request"
"""Fields that are no parameters: the questions just answered, the topic to ask again, rolls by number, a request's id."""
KINDS = {
    CharacterKind.PLAYER_CHARACTER: "a player character",
    CharacterKind.NPC: "an NPC",
    CharacterKind.MONSTER: "a monster",
    CharacterKind.HIRELING: "a hireling",
    CharacterKind.THING: "a thing",
}
NOT_YOURS = ("id", "count")
"""Questions that a player is not asked: how a character is called in commands is the GM's matter."""

Sent = ImmutableMultiDict[str, Any]


@attrs.define(slots=False)
class Making(Changeable):
    """A newcomer as far as it was sent. ``fixed`` are answers that the seat does not choose, ``faults`` those of the answers.

    ``typed`` are faces of real dice as they were typed, ``rolled`` the numbers of the rolls made here for the newcomer.
    """

    seat_context: SeatContext
    questions: Questionnaire
    fixed: Mapping[str, str]
    asked: tuple[str, ...]
    said: Mapping[str, str]
    faults: Mapping[str, str]
    step: Topic | None
    typed: str
    rolled: tuple[ActionNumber, ...]
    is_secret: bool
    request: str

    @classmethod
    def of(cls, seat_context: SeatContext, sent: Sent) -> Making:
        """The newcomer in a form or in the query of an address."""
        verb = verb_of(seat_context.edition, JOIN)
        questions = Questionnaire(seat_context.edition, verb)
        filled, fixed = Filled.of(sent, verb), _fixed(seat_context, questions)
        asked = tuple(str(name) for name in sent.getlist(ASKED) if name in questions.known and name not in fixed)
        said = {
            name: text_of(parameter, filled)
            for name, parameter in questions.known.items()
            if name in filled.values or f"{name}.own" in filled.values or name in asked
        }
        questions.given = {**{name: text for name, text in said.items() if name not in asked}, **fixed}
        step = str(sent.get(STEP, ""))
        return cls(
            seat_context=seat_context,
            questions=questions,
            fixed=fixed,
            asked=asked,
            said=said,
            faults=_faults_of(questions, asked, said),
            step=Topic(step) if step in list(Topic) else None,
            typed=str(sent.get(DICE, "")).strip(),
            rolled=tuple(dict.fromkeys(filter(None, map(action_number, map(str, sent.getlist(ROLLED)))))),
            is_secret=seat_context.is_gm and sent.get(SECRET) == "yes",
            request=str(sent.get(REQUEST, "")),
        )

    @property
    def name(self) -> str:
        """The newcomer's name, "" before it is given."""
        return self.questions.given.get("name", "")

    # What is asked next.

    @cached_property
    def page(self) -> tuple[Topic | None, tuple[Parameter, ...]]:
        """The topic and the questions of the next page; none when everything is answered."""
        if self.faults:
            shown = tuple(self.questions.known[name] for name in self.asked)
            return topic_of(shown[0]), shown
        if self.step is not None:
            again = tuple(each for each in self.open_questions if topic_of(each) is self.step)
            return (self.step, again) if again else self.questions.asked_together()
        return self.questions.asked_together()

    @property
    def open_questions(self) -> Iterator[Parameter]:
        """The questions that apply and that this seat answers."""
        return (each for each in self.questions.questions() if each.name not in self.fixed)

    def fields(self) -> Iterator[Field]:
        """The questions of the next page as fields, with what was answered and what is wrong with it."""
        for parameter in self.page[1]:
            text = self.said.get(parameter.name)
            values = None if text is None else tuple(text.split(",")) if parameter.want.is_list else (text,)
            field = field_of(parameter, self.seat_context.view, None, values, default_text(parameter))
            if parameter.name == "kind":
                offers = (attrs.evolve(each, label=_in_words(parameter.name, each.value)) for each in field.offers)
                field = attrs.evolve(field, offers=tuple(offers))
            yield attrs.evolve(field, fault=self.faults.get(parameter.name, ""))

    def answers(self) -> dict[str, str]:
        """The answers that this seat has given."""
        return {name: text for name, text in self.questions.given.items() if name not in self.fixed}

    def summary(self) -> Iterator[tuple[Topic, str, str]]:
        """The answers that say something, with the topic and the label of the question."""
        for name, text in self.answers().items():
            parameter = self.questions.known[name]
            if text and text != default_text(parameter):
                yield topic_of(parameter), label_of(parameter), _in_words(name, text)

    def hidden(self) -> list[tuple[str, str]]:
        """The fields of a form that goes on from here, without those of the next page."""
        shown = {each.name for each in self.page[1]}
        return [(name, text) for name, text in self.answers().items() if name not in shown] + self._beside()

    def _beside(self) -> list[tuple[str, str]]:
        """The fields that are no answers: the dice so far, and the request that is changed."""
        dice = [(ROLLED, str(number)) for number in self.rolled] + ([(DICE, self.typed)] if self.typed else [])
        return dice + ([(REQUEST, self.request)] if self.request else [])

    def address(self, step: str) -> str:
        """The query of an address that asks the questions of a topic again."""
        return urlencode([*self.answers().items(), *self._beside(), (STEP, step)])

    # Dice.

    @cached_property
    def fell_here(self) -> tuple[int, ...]:
        """The faces of the rolls that were made for it here."""
        return tuple(face for number in self.rolled for face in rolled_in(self.seat_context, number))

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces of all its dice so far. Raises DiceError for typed ones that are none."""
        return (*self.fell_here, *parse_faces(self.typed)) if self.typed else self.fell_here

    @property
    def may_be_typed(self) -> bool:
        """True if dice that fell before may be used: the table agreed on nothing else for who brings somebody in."""
        state = self.seat_context.edition.state
        return dice_of_seat(state, acting_seat(state, None)) != STREAM

    @property
    def may_roll(self) -> bool:
        """True if the dice can be rolled here and now, on record, before anybody comes in."""
        state, seat = self.seat_context.edition.state, self.seat_context.edition.seat(self.seat_context.seat)
        is_open = state.session is not None and state.session.is_open
        return is_open and self.may_be_typed and dice_of_seat(state, seat) != PHYSICAL

    def arrival(self) -> Arrival | None:
        """The newcomers with the dice so far; None while more dice have to fall. Raises what the rules say against it."""
        return None if self.questions.dice_left(self.faces) else self.questions.arrival(self.faces)


def rolled_in(seat_context: SeatContext, number: ActionNumber) -> tuple[int, ...]:
    """The faces of a loose roll of the seat's, by its number; none if it is not one, or does not count any more."""
    edition = seat_context.edition
    with suppress(NotFound):
        entry = edition.session.history.looking_back(lambda history: history.effective(number))
        mine = edition.seat(seat_context.seat)
        if entry is not None and entry.seat == mine and entry.intent is not None and entry.intent.verb == "roll":
            rolls = (event for event in entry.events if isinstance(event, DiceRolled))
            return tuple(die.face for roll in rolls for die in roll.dice)
    return ()


def _fixed(seat_context: SeatContext, questions: Questionnaire) -> dict[str, str]:
    if seat_context.seat is None:
        return {}
    own = {"kind": CharacterKind.PLAYER_CHARACTER.value, "seat": seat_context.seat, **dict.fromkeys(NOT_YOURS, "")}
    return {name: text for name, text in own.items() if name in questions.known}


def _faults_of(questions: Questionnaire, asked: tuple[str, ...], said: Mapping[str, str]) -> dict[str, str]:
    """The faults of the questions that were asked together. An answer that has none is given from then on."""
    faults: dict[str, str] = {}
    before: RollbookError | None = questions.refusal()
    for name in asked:
        fault = questions.against(questions.known[name], said[name], before)
        if fault is None:
            questions.given[name] = said[name]
        else:
            faults[name] = str(fault)
    return faults


def _in_words(name: str, text: str) -> str:
    return KINDS[CharacterKind(text)] if name == "kind" and text in list(CharacterKind) else text
