"""A campaign that is played: a view of it through which actions are taken, lines are said and corrections are made."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from rollbook.application.history.head import Decision, Head
from rollbook.application.playing.request import ActionRequest, Params, built, check_verb
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.view import CampaignView, Said
from rollbook.domain.actions.notes import Redact
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.redaction import check_redactable, words_of
from rollbook.domain.rules.action import Action, check

if TYPE_CHECKING:
    from rollbook.application.corrections import Corrections


class Campaign(CampaignView):
    """A campaign in a store, or one of its timelines.

    ``state`` and ``head`` are the campaign as of the last command or ``refresh``; what is recorded through this object is in
    them at once, what other processes record after the next command.
    """

    @cached_property
    def corrections(self) -> Corrections:
        """The corrections that can be made of it."""
        from rollbook.application.corrections import Corrections

        return Corrections(self.session)

    @command_deadline()
    def play(
        self,
        action: Action,
        *,
        seat: str | None = None,
        dice: Iterable[int] | None = None,
        secret: bool = False,
        reason: str = "",
        command: str = "",
        base: int | None = None,
    ) -> RecordedEntry:
        """Take an action. ``dice`` are the faces of real dice; ``secret`` keeps it and its dice to the GM.

        ``seat`` acts (None: the GM). ``command`` is an id that the caller gives to this command, its own by campaign and seat:
        given again, it returns what it made and nothing happens twice. An anonymous action has none.

        Raises Refused, NotFound, RulesetMissing, DiceNeeded with a sentence; then nothing was recorded. A later fault,
        or a word that no rule knows, is a ``RecordedWarning``, and the entry is returned all the same. Refused also if
        the id was given to another command. StaleHistory if other processes kept being faster, or if the history is no
        longer at entry ``base``, on which the action was tried out.
        """
        head = self.session.history.writable_head()
        check_verb(self.session.rulebook, head.state, action)
        check(action)
        return self.session.take_on(head, (ActionRequest(action, seat, dice, secret, reason),), command, base)[-1]

    @command_deadline()
    def do(
        self,
        verb: str,
        params: Params | None = None,
        /,
        *,
        seat: str | None = None,
        dice: Iterable[int] | None = None,
        secret: bool = False,
        reason: str = "",
        command: str = "",
        base: int | None = None,
        **more: ParameterValue,
    ) -> RecordedEntry:
        """Take an action by the name of its verb, with the verb's parameters as keyword arguments: see ``play``.

        ``seat``, ``dice``, ``secret``, ``reason``, ``command`` and ``base`` always have the meaning that they have for ``play``.
        A parameter of the verb that has one of these names is given in ``params``, as any other can be.
        """
        head = self.session.history.writable_head()
        action = built(self.session.rulebook, head.state, verb, params, more)
        return self.session.take_on(head, (ActionRequest(action, seat, dice, secret, reason),), command, base)[-1]

    @command_deadline()
    def say(self, line: str, *, seat: str | None = None, command: str = "") -> Said:
        """Carry out a line that is typed as at the prompt: a verb, a correction, a second thought or a question.

        ``seat`` acts where the line does not say who; ``command`` is an id of the line, see ``play``. Raises what ``play`` and
        the corrections raise, and LineError for a line that is not written as it should be. A question is answered by what the
        seat may see, see ``rollbook.application.visibility.seat_campaign``.
        """
        return self._said(line, seat=seat, command=command)

    @command_deadline()
    def redact(self, action: ActionNumber, *, why: str, seat: str | None = None, command: str = "") -> RecordedEntry:
        """Remove the words of a note for good, from what was typed at the prompt too; that it was done is on record.

        ``command`` is an id of this command, see ``play``. Raises NotFound, and Refused for anything but a note: nothing else can
        ever be removed. StaleHistory if somebody wrote more about the note at the same moment.
        """
        session = self.session
        session.read_again()
        history = self.history  # before the id is looked up: the same command from elsewhere is found or not in it
        named = session.command(seat, command, {"redact": action, "why": why})
        if made := session.history.made_by(named):
            return made[-1]
        numbers = check_redactable(history, action)
        instead = session.log.without_words(numbers)
        entries = [history.entry(number) for number in numbers]
        words = {said for entry in entries for said in words_of(entry)}
        secret = any(entry.visibility for entry in entries)
        redaction = Redact(action=action, why=why, entries=tuple(numbers))
        turn = ActionRequest(redaction, seat, (), secret, why)

        def decide(head: Head) -> Decision:
            if check_redactable(self.history, action) != numbers:
                raise StaleHistory(f"Somebody changed #{action} at the same moment. Nothing was removed; try again.")
            decided = session.turns.decide(head, turn)
            session.surroundings.typed_lines.forget((self.id,), action, words)
            return decided

        entry = session.append(decide, instead=instead, command=named)[-1]
        session.read_again()
        return entry
