"""Carries out a typed line: a verb, a correction, a second thought or a question.

Programs, the prompt, scripts and the line on the page all come through here. A verb is taken on the campaign; everything else is
a command, and the ``LineAnswer`` says how that one is carried out and in what words it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

import attrs

from rollbook.application.after_commit import after_commit, one_act
from rollbook.application.history.idempotency_keys import IdempotencyKey
from rollbook.application.lines import line_commands
from rollbook.application.lines.answering import AnsweredFailure, Answering
from rollbook.application.lines.line_answer import LineAnswers, Performed
from rollbook.application.lines.performing import perform
from rollbook.application.lines.verb_line import LineError, find_seat, split_dice, split_words
from rollbook.application.verbs import no_such_verb, verbs_of
from rollbook.application.view import CampaignView, Said
from rollbook.application.visibility import seat_campaign
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.synonyms import in_this_game

if TYPE_CHECKING:
    from rollbook.application.corrections import Preview

INSERT = "insert"
HELP = ("-h", "--help")
"""Options that ask how something is written."""

ONLY_AT_THE_COMMAND_LINE = (*HELP, "-c", "--campaign", "--store")
"""Options that have no meaning in a line that is said to a campaign."""

RunCommand = Callable[[str, Sequence[str]], None]
"""Carries out a command by its name, with the words after it, and answers it."""


def words_of(line: str) -> list[str]:
    """The words of a line; none if it is a comment. ``#12`` is an action."""
    text = line.strip()
    return [] if text.startswith("#") and not text[1:2].isdecimal() else split_words(text)


@attrs.frozen
class LineRunner:
    """Carries out one line after another.

    ``seat`` acts where a line does not say who, and ``command`` is the id of the next verb. With ``asks``, a command may ask
    before it records anything; without, a correction is made at once.
    """

    answer: Answering
    run: RunCommand
    asks: bool = False
    seat: str | None = None
    command: str = ""

    def carry_out(self, words: Sequence[str]) -> Performed | None:
        """Carry out the words of a line on a campaign that has just been read.

        Returns what a verb did; a command has answered by itself. Raises LineError, and what the engine raises.
        """
        first, rest = words[0], words[1:]
        campaign = self.answer.campaign()
        verbs = verbs_of(campaign)
        if self._is_command(first, rest) or (first in line_commands.PROMPT_COMMANDS and first not in verbs):
            self._carry_out_command(first, rest)
            return None
        if first not in verbs:
            known = (*verbs, *line_commands.PROMPT_COMMANDS)
            if (here := in_this_game(words, known)) != list(words):
                return self.carry_out(here)
            campaign.session.rulebook.require(campaign.state)
            raise no_such_verb(campaign, first, known)
        return perform(self.answer, verbs[first], rest, seat=self.seat, command=self.command)

    def _is_command(self, first: str, rest: Sequence[str]) -> bool:
        """True if the command is meant, and not the verb of the same name."""
        if first == line_commands.X_CARD:
            return not line_commands.X_CARD_ANSWERS.isdisjoint(rest)
        if first == line_commands.ADOPT:
            return (
                self.asks
                or not line_commands.SHOWN_FIRST.union(HELP[1:]).isdisjoint(rest)
                or tuple(rest[:1]) == HELP[:1]
            )
        return first == line_commands.REVEAL

    def _carry_out_command(self, name: str, rest: Sequence[str]) -> None:
        args = _dice_as_option(name, rest)
        asks = (name in (*line_commands.CORRECTION_COMMANDS, "take-over") and name != "reroll") or "--rewind" in args
        if asks and not self.asks and not {"--yes", "--preview"} & set(args):
            args.append("--yes")
        if self.command:
            raise LineError(
                f"Only what is recorded in one go can have a command id: a verb, a correction or redact, not {name}."
            )
        if self.seat is not None and name in line_commands.SEATED_COMMANDS and seat_in(args) is None:
            args += ("--seat", self.seat)
        self.run(name, args)


def say(campaign: CampaignView, line: str, answers: LineAnswers, *, seat: str | None = None, command: str = "") -> Said:
    """Carry out a line that is typed as at the prompt: see ``CampaignView.say``. ``answers`` makes the answer to it.

    Raises what the engine raises, and LineError for a faulty line.
    """
    campaign.refresh()
    words = words_of(line)
    if not words:
        raise LineError("There is nothing in this line: type a verb, a correction or a question.")
    words = in_this_game(words, (*verbs_of(campaign), *line_commands.PROMPT_COMMANDS))
    for word in words:
        if word.partition("=")[0] in ONLY_AT_THE_COMMAND_LINE:
            raise LineError(f"{word} is for the command line; a line that is said to a campaign has no place for it.")
    is_verb = words[0] in verbs_of(campaign)
    reader = None if seat is None else seat_campaign.from_whom_to_hide(campaign, find_seat(campaign.state, seat))
    seen = campaign if is_verb else _seen_by(campaign, words[0], reader)
    answer = answers(seen, reader)
    whole = None if is_verb else _whole_line(campaign, words, seat, command)
    if made := campaign.session.history.made_by(whole):
        for entry in made:
            answer.show_entry(entry)
        return Said(line=line, text=answer.text, entries=made)
    runner = LineRunner(answer, answer.run, seat=seat, command="" if whole else command)
    with one_act() as act, campaign.session.recording(whole) as noted:
        try:
            with after_commit():
                if done := runner.carry_out(words):
                    answer.show_performed(done)
        except AnsweredFailure:
            pass  # the report is in the text
        except RollbookError as fault:
            again = partial(_ask_as_seen, answers, campaign, words, reader)
            raise seat_campaign.without_hidden_names(seen, fault, reader, again) from None
    said = tuple(str(seat_campaign.without_hidden_names(seen, RollbookError(fault), reader)) for fault in act.faults)
    return Said(
        line=line,
        text=answer.text,
        entries=tuple(noted.entries),
        preview=cast("Preview | None", noted.preview),
        warnings=said,
    )


def _whole_line(campaign: CampaignView, words: Sequence[str], seat: str | None, id_: str) -> IdempotencyKey | None:
    """The command that a line is as it is typed, None if it has no id or cannot have one."""
    if not id_ or words[0] not in line_commands.COMMANDS_WITH_ID:
        return None
    named = seat_in(words)
    return campaign.session.command(seat if named is None else named, id_, {"line": words})


def _seen_by(campaign: CampaignView, name: str, reader: str | None) -> CampaignView:
    """The campaign that a command is carried out on: for a question, as its reader may see it. Raises Refused."""
    if reader is None or name not in (*line_commands.QUERY_COMMANDS, *line_commands.GM_COMMANDS):
        return campaign
    if name in line_commands.GM_COMMANDS:
        raise Refused(f"{name} is about hidden things too, so it is for the GM. Leave out the seat, or ask the GM.")
    return seat_campaign.as_seen(campaign, reader)


def _ask_as_seen(answers: LineAnswers, campaign: CampaignView, words: Sequence[str], reader: str | None) -> None:
    """Carry out the words of a line on a campaign that has only what its seat may see, and that records nothing."""
    assert reader is not None
    answer = answers(seat_campaign.correctable_as_seen(campaign, reader), reader)
    if done := LineRunner(answer, answer.run, seat=reader).carry_out(words):
        answer.show_performed(done)


def seat_in(words: Sequence[str]) -> str | None:
    """The seat that a line names, None if it names none."""
    named = None
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        option, equals, value = word.partition("=")
        if option == "--seat":
            named = value if equals else following
    return named


def _dice_as_option(name: str, rest: Sequence[str]) -> list[str]:
    """Dice after a ``!`` as the option that they are for the command; those of an inserted verb are its own."""
    if name == INSERT:
        return list(rest)
    before, dice = split_dice(rest)
    if dice is None:
        if before and before[-1] == "--dice":
            raise LineError("--dice needs the faces after it, as in --dice 14,4.")
        return before
    return [*before, "--faces" if name == "amend" else "--dice", ",".join(map(str, dice))]
