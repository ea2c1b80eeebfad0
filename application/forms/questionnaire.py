"""Questions of a verb with many parameters, the answers so far, and the rules' refusals of them.

Refusals are found by playing the action with imagined dice. A refusal that only a later question settles is not
reported.
"""

from collections.abc import Iterator, Mapping, Sequence

from rollbook.application.forms.fields import default_text, needed
from rollbook.application.lines.verb_line import read_parameters, read_value, user_parameters
from rollbook.application.playing.request import ActionRequest
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.letters import id_of
from rollbook.domain.rules.action import Action, build
from rollbook.domain.rules.parameters import Parameter

FIRST = ("name", "kind")
"""Questions asked first in every game: the others depend on them."""


class Questionnaire:
    """The questions of one newcomer. ``given`` are the answers by parameter, as they are typed; it grows while they are asked."""

    def __init__(self, campaign: CampaignView, action: type[Action]) -> None:
        self.campaign = campaign
        self.action = action
        self.known = {parameter.name: parameter for parameter in user_parameters(action)}
        self.given: dict[str, str] = {}

    def questions(self, answers: Mapping[str, str] | None = None) -> Iterator[Parameter]:
        """The game's questions for this sort of character, in order; ``answers`` are those so far if not ``given``."""
        yield from (self.known[name] for name in FIRST if name in self.known)
        kind = self.known.get("kind")
        chosen = (self.given if answers is None else answers).get("kind") or str(kind.default if kind else "")
        rest = self.action.questions.get(chosen, tuple(self.known))
        yield from (self.known[name] for name in rest if name not in FIRST)

    def next_question(self) -> Parameter | None:
        """The first question that has no answer yet, None if all have one."""
        return next((parameter for parameter in self.questions() if parameter.name not in self.given), None)

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
        waits = any(_is_about(now, later) for later in self.questions(answers) if later.name not in answers)
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
        if parameter.name == "seat" and text not in state.seats:
            sit = ", ".join(state.seats) or "nobody yet"
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


def _is_about(reason: RollbookError, parameter: Parameter) -> bool:
    """True if another answer to this question could put the refusal right."""
    return parameter.name in (reason.parameter, reason.instead)
