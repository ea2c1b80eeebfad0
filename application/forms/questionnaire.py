"""Questions of a verb with many parameters, the answers so far, and the rules' refusals of them.

Refusals are found by playing the action with imagined dice. A refusal that only a later question settles is not
reported. So is found whether a question applies: a human's player is not asked what the rules refuse to every human.
"""

import enum
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import attrs

from rollbook.application.forms.fields import default_text, needed
from rollbook.application.lines.verb_line import read_parameters, read_value
from rollbook.application.playing.request import ActionRequest
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.letters import id_of
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterJoined, DiceRolled
from rollbook.domain.rules.action import Action, build, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import seat_of

FIRST = ("name", "kind")
"""Questions asked first in every game: the others depend on them."""
_ABOUT = ("id", "seat", "count")
"""Further questions about who comes in, which the games do not ask in the same place."""
_NUMBERS = (ParameterType.NUMBER, ParameterType.NUMBERS, ParameterType.AMOUNTS)


class Topic(enum.StrEnum):
    """The topic of questions; those of one topic are asked together, in this order."""

    WHO = "who"
    WHAT = "what"
    NUMBERS = "numbers"


def topic_of(parameter: Parameter) -> Topic:
    """The topic of a question. Numbers are all that is counted, and lists that are typed: of words no rule offers."""
    if parameter.name in (*FIRST, *_ABOUT):
        return Topic.WHO
    is_typed = parameter.want is ParameterType.TEXTS and not parameter.choices
    return Topic.NUMBERS if parameter.want in _NUMBERS or is_typed else Topic.WHAT


@attrs.frozen
class Arrival(Record):
    """The newcomers as they would come in, the campaign with them, and the rolls: nothing is recorded."""

    newcomers: tuple[CharacterId, ...]
    state: CampaignState
    rolls: tuple[DiceRolled, ...]


class Questionnaire:
    """The questions of one newcomer. ``given`` are the answers by parameter, as they are typed; it grows while they are asked."""

    def __init__(self, campaign: CampaignView, action: type[Action]) -> None:
        self.campaign = campaign
        self.action = action
        self.known = {parameter.name: parameter for parameter in user_parameters(action)}
        self.given: dict[str, str] = {}
        self._tried: dict[frozenset[tuple[str, str]], RollbookError | None] = {}

    def listed(self, answers: Mapping[str, str] | None = None) -> Iterator[Parameter]:
        """The game's questions for this sort of character, in order; ``answers`` are those so far if not ``given``."""
        yield from (self.known[name] for name in FIRST if name in self.known)
        kind = self.known.get("kind")
        chosen = (self.given if answers is None else answers).get("kind") or str(kind.default if kind else "")
        rest = self.action.questions.get(chosen, tuple(self.known))
        yield from (self.known[name] for name in rest if name not in FIRST)

    def questions(self) -> Iterator[Parameter]:
        """The questions that apply, in order: each as it stands when it is asked for, with the answers by then."""
        return (parameter for parameter in self.listed() if parameter.name in self.given or self.applies(parameter))

    def asked_together(self) -> tuple[Topic | None, tuple[Parameter, ...]]:
        """The open questions of the first topic that has any, without those that wait for the answer to another."""
        left = [each for each in self.questions() if each.name not in self.given]
        for topic in Topic:
            found = [each for each in left if topic_of(each) is topic]
            if found:
                return topic, tuple(each for each in found if not self._waits(each)) or tuple(found)
        return None, ()

    def applies(self, parameter: Parameter, more: Mapping[str, str] | None = None) -> bool:
        """False if the rules refuse every answer to a question, and do without one."""
        if parameter.required or _is_about(self.refusal({**(more or {}), parameter.name: ""}), parameter):
            return True
        answers = _answers_to(parameter)
        return not answers or not all(
            _is_about(self.refusal({**(more or {}), parameter.name: text}), parameter) for text in answers
        )

    def _waits(self, parameter: Parameter) -> bool:
        """True if it depends on the answer that is missing first whether a question applies."""
        refused = self.refusal()
        missing = self.known.get(refused.parameter) if refused is not None else None
        if missing is None or missing == parameter or self.given.get(missing.name):
            return False
        return not all(self.applies(parameter, {missing.name: text}) for text in _answers_to(missing))

    def against(self, parameter: Parameter, text: str, before: RollbookError | None) -> RollbookError | None:
        """The fault of an answer, if any; ``before`` is the refusal of the answers before it."""
        if not text and parameter.required:
            return Refused(needed(parameter), parameter=parameter.name)
        try:
            if text:
                self._check_value(parameter, text)
        except RollbookError as reason:
            return reason.about(parameter.name)
        now = self.refusal({parameter.name: text})
        if now is None:
            return None
        is_named = _is_about(now, parameter)
        if text and parameter.name not in FIRST and is_named:
            return now
        answers = {**self.given, parameter.name: text}
        waits = any(_is_about(now, later) for later in self.listed(answers) if later.name not in answers)
        is_old = before is not None and now.args == before.args
        return None if waits or (is_old and not is_named) else now

    def _check_value(self, parameter: Parameter, text: str) -> None:
        """Raise RollbookError for an invalid value, an id that is taken, or a seat that does not exist."""
        state = self.campaign.state
        if "," not in text or not parameter.several:
            read_value(parameter, text, state)
        if parameter.name == "id" and text in state.characters:
            raise RollbookError(f"There is already a character called {text!r}. Give another id, or none.")
        if parameter.name == "id" and id_of(text) != text:
            raise RollbookError(f"{text!r} cannot be typed easily; call the character {id_of(text)!r} in commands.")
        if parameter.name == "seat" and not seat_of(state, text):
            sit = ", ".join(state.people) or "nobody yet"
            raise RollbookError(f"Nobody called {text} sits at this table. Seats: {sit}.")

    def settled_before(self, parameter: Parameter, reason: RollbookError) -> list[Parameter]:
        """The earlier questions left without an answer that could put a refusal of this one right."""
        left_open = [self.known[name] for name, text in self.given.items() if name not in FIRST and not text]
        return [each for each in left_open if _is_about(reason, each) and each != parameter]

    def blamed(self, reason: RollbookError) -> Sequence[Parameter]:
        """The questions whose answers would put a refusal right; all of them if it names none."""
        asked = list(self.questions())
        return [each for each in asked if _is_about(reason, each)] or asked

    def said(self) -> Iterator[str]:
        """The answers as they would have been typed."""
        for name, text in self.given.items():
            parameter = self.known[name]
            if text and text != default_text(parameter):
                yield f"--{parameter.option}={text}"

    def turn(self, more: Mapping[str, str] | None = None) -> ActionRequest:
        """The action request that the answers so far make. Raises RollbookError if they make none."""
        given = {name: text for name, text in {**self.given, **(more or {})}.items() if text}
        given = {name: text for name, text in given.items() if text != default_text(self.known[name])}
        return ActionRequest(build(self.action, read_parameters(self.action, given, self.campaign.state)))

    def refusal(self, more: Mapping[str, str] | None = None) -> RollbookError | None:
        """The refusal of the answers so far, None if the rules take them."""
        tried = frozenset({**self.given, **(more or {})}.items())
        if tried not in self._tried:
            self._tried[tried] = self._refusal(more)
        return self._tried[tried]

    def _refusal(self, more: Mapping[str, str] | None) -> RollbookError | None:
        try:
            return self.campaign.session.refusal(self.turn(more))
        except RollbookError as reason:
            return reason

    def wanted_dice(self) -> str:
        """The dice that it takes, "" for none or if that cannot be known."""
        try:
            return self.campaign.session.wanted_dice(self.turn())
        except RollbookError:
            return ""

    def dice_left(self, faces: Sequence[int]) -> str:
        """The dice that it takes after these faces, as they are rolled: "18d6+1d8"; "" for none."""
        session = self.campaign.session
        asked, _ = session.turns.dice_wanted(session.head, attrs.evolve(self.turn(), dice=faces))
        return "+".join(f"{len(list(same))}d{sides}" for sides, same in groupby(die.sides for die in asked.dice))

    def arrival(self, faces: Sequence[int]) -> Arrival:
        """The newcomers with these faces of dice. Raises what taking the action raises."""
        session = self.campaign.session
        decided = session.turns.decide(session.head, attrs.evolve(self.turn(), dice=faces))
        assert decided.state is not None
        happened = [event for entry in decided.entries for event in entry.events]
        joined = tuple(event.character for event in happened if isinstance(event, CharacterJoined))
        return Arrival(joined, decided.state, tuple(event for event in happened if isinstance(event, DiceRolled)))


def _is_about(reason: RollbookError | None, parameter: Parameter) -> bool:
    """True if another answer to this question could put the refusal right."""
    return reason is not None and parameter.name in (reason.parameter, reason.instead)


def _answers_to(parameter: Parameter) -> tuple[str, ...]:
    """The answers that can be tried: all that are offered besides the usual one; none where anything may be typed."""
    if parameter.want is ParameterType.FLAG:
        return ("yes",)
    return tuple(each for each in parameter.choices if each and each != default_text(parameter))
