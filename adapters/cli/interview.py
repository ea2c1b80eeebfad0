"""Interview of ``join`` at a terminal: each question is asked once, and the rules check its answer at once.

Answers that were given before Ctrl-C wait in a file of the user's own.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.terminal import agree, ask
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.performed import show_performed
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.own_files import keep_note
from rollbook.application.campaign import Campaign
from rollbook.application.forms.fields import default_text, help_of
from rollbook.application.forms.questionnaire import Questionnaire
from rollbook.application.lines.line_answer import Performed
from rollbook.application.lines.performing import perform
from rollbook.application.lines.verb_line import DICE_MARK
from rollbook.application.verbs import verb_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import Parameter

OPEN_SESSION = "open-session"
DRAWN = "drawn"
LATER = "later"


class Interview:
    """Interview that asks until the rules have nothing against the answers."""

    def __init__(self, cli: CliContext, campaign: Campaign, action: type[Action]) -> None:
        self._cli = cli
        self._asked = Questionnaire(campaign, action)
        self._kept = Answers(paths.join_answers(cli.store_path, campaign.id))

    def ask_until_accepted(self) -> Performed:
        """Ask for everything once, and again only for what the rules refuse. Ctrl-C keeps the answers."""
        self._cli.print("Enter takes the value in brackets, or leaves it open. Ctrl-C stops; your answers are kept.")
        self._take_up()
        try:
            done = self._ask_for_all()
        except (click.Abort, KeyboardInterrupt):
            self._keep()
            raise
        self._kept.drop()
        return done

    def _take_up(self) -> None:
        """Offer to go on with the answers of last time."""
        found = {name: text for name, text in self._kept.read().items() if name in self._asked.known}
        if not found:
            return
        said = ", ".join(f"{name} {text}" for name, text in found.items() if text)
        if agree(f"Last time you answered: {said}. Go on with that?", default=True):
            self._asked.given = found
        else:
            self._kept.drop()

    def _keep(self) -> None:
        if self._asked.given and self._kept.write(self._asked.given):
            self._cli.print("\nWhat you answered is kept: join goes on with it next time.")

    def _ask_for_all(self) -> Performed:
        asked = self._asked
        for parameter in asked.questions():
            if parameter.name not in asked.given:
                self._ask(parameter)
        while True:
            dice = self._dice()
            asked.campaign.refresh()
            try:
                return perform(self._cli, asked.action, (*asked.said(), *dice))
            except DiceError as reason:
                self._cli.warn(str(reason))
            except RollbookError as reason:
                self._cli.warn(str(reason))
                for parameter in asked.blamed(reason):
                    self._ask(parameter)

    def _ask(self, parameter: Parameter) -> None:
        """Ask one question, until there is nothing against its answer but what a later one settles."""
        self._cli.print(Text(f"{parameter.name}: {help_of(parameter)}", "dim"))
        refused = self._asked.refusal()
        while True:
            text = self._answer(parameter)
            against = self._asked.against(parameter, text, refused)
            if against is None:
                self._asked.given[parameter.name] = text
                return
            self._cli.warn(str(against))
            for earlier in () if text else self._asked.settled_before(parameter, against):
                self._asked.given[earlier.name] = self._answer(earlier)

    def _answer(self, parameter: Parameter) -> str:
        before = self._asked.given.get(parameter.name, default_text(parameter))
        return ask(f"  {parameter.name}", default=before, show_default=bool(before)).strip()

    def _dice(self) -> tuple[str, ...]:
        """Ask for the dice if the action takes any: drawn from the session, which may be opened for it, or typed."""
        campaign, wanted = self._asked.campaign, self._asked.wanted_dice()
        if not wanted:
            return ()
        self._cli.print(f"This takes {wanted}.")
        session = campaign.state.session
        has_session = session is not None and session.is_open
        if not has_session and agree("No session is open. Open one, so that they can be drawn?", default=True):
            opened = perform(self._cli, verb_of(campaign, OPEN_SESSION), ())
            self._cli.project()
            show_performed(self._cli, opened)
            has_session = True
        default = DRAWN if has_session else ""
        faces = ask("Real dice, in this order", default=default, show_default=bool(default)).strip()
        return () if faces in ("", DRAWN) else (DICE_MARK, faces)


class Answers:
    """Answers that wait for next time, in a file that only the user reads."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, str]:
        """The kept answers; none if there is no such file, or it cannot be read."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return {str(name): str(text) for name, text in kept.items()} if isinstance(kept, dict) else {}

    def write(self, given: dict[str, str]) -> bool:
        """Keep the answers. Returns whether that was possible."""
        try:
            keep_note(self._path, json.dumps(given, ensure_ascii=False))
        except OSError:
            return False
        return True

    def drop(self) -> None:
        """Delete the answers: they were used, or are not wanted."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def offer_choices(cli: CliContext, campaign: Campaign, who: str, choose: type[Action], *, ask: bool) -> None:
    """Print what is still to be chosen, choices of a sort together, and with ``ask`` let the user choose."""
    of_a_sort: dict[tuple[str, ...], list[str]] = {}
    for choice, open_choice in campaign.state.characters[who].choices.items():
        of_a_sort.setdefault(open_choice.keys, []).append(choice)
    for options, choices in of_a_sort.items():
        cli.print(Text(f"Still open: {', '.join(choices)} ({', '.join(options) or 'any word'})"))
        if not ask:
            cli.print(f"  rollbook do {choose.verb} {who} {choices[0]} …")
            continue
        _ask_choices(cli, campaign, who, choose, choices)


def _ask_choices(cli: CliContext, campaign: Campaign, who: str, choose: type[Action], choices: Iterable[str]) -> None:
    for choice in choices:
        picked = ask(f"  {choice}, or {LATER}", default=LATER)
        if picked == LATER:
            return
        campaign.refresh()
        try:
            taken = perform(cli, choose, (who, choice, picked))
        except RollbookError as reason:
            cli.warn(f"{reason} It stays open.")
            continue
        cli.project()
        show_performed(cli, taken)
