"""The questions of ``join``: each is asked once, and the rules look at its answer at once.

What the rules have against the answers so far is found by playing the action with dice that nobody rolled. Answers that
were given before Ctrl-C wait in a file of the user's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click
from rich.text import Text

from adapters import paths
from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.perform import Performed, perform, show_performed
from adapters.cli.terminal import agree, ask
from adapters.own_files import keep_note
from adapters.turn import Turn
from adapters.verb_line import DICE_MARK, read_parameters, read_value, user_parameters
from adapters.verbs import mentions, parameter_help, verb_of
from domain.action import Action, build
from domain.dice.errors import DiceError
from domain.errors import RollbookError
from domain.lookup import slug
from domain.parameters import Parameter, typed

OPEN_SESSION = "open-session"
FIRST = ("name", "kind")
DRAWN = "drawn"


class Interview:
    """Questions until the rules have nothing against the answers."""

    def __init__(self, cli: CliContext, campaign: Campaign, action: type[Action]) -> None:
        self._cli, self._campaign, self._action = cli, campaign, action
        self._known = {parameter.name: parameter for parameter in user_parameters(action)}
        self._given: dict[str, str] = {}
        self._kept = Answers(paths.join_answers(cli.store_path, campaign.id))

    def ask_until_accepted(self) -> Performed:
        """Ask for everything once, and again only for what the rules refuse. What was answered is kept at Ctrl-C."""
        self._cli.print("Enter takes the value in brackets, or leaves it open. Ctrl-C stops; your answers are kept.")
        self._take_up()
        try:
            done = self._ask_for_all()
        except (click.Abort, KeyboardInterrupt):
            self._keep()
            raise
        self._kept.drop()
        return done

    # What was answered before.

    def _take_up(self) -> None:
        """Go on with what was answered last time, if that is wanted."""
        found = {name: text for name, text in self._kept.read().items() if name in self._known}
        if not found:
            return
        said = ", ".join(f"{name} {text}" for name, text in found.items() if text)
        if agree(f"Last time you answered: {said}. Go on with that?", default=True):
            self._given = found
        else:
            self._kept.drop()

    def _keep(self) -> None:
        if self._given and self._kept.write(self._given):
            self._cli.print("\nWhat you answered is kept: join goes on with it next time.")

    # Asking.

    def _ask_for_all(self) -> Performed:
        for parameter in self._questions():
            if parameter.name not in self._given:
                self._ask(parameter)
        while True:
            dice = self._dice()
            self._campaign.refresh()
            try:
                return perform(self._campaign, self._action, (*self._said(), *dice))
            except DiceError as reason:
                self._cli.warn(str(reason))
            except RollbookError as reason:
                self._cli.warn(str(reason))
                for parameter in self._blamed(str(reason)):
                    self._ask(parameter)

    def _questions(self) -> Iterator[Parameter]:
        """What the game asks of this sort of character, in its own order."""
        yield from (self._known[name] for name in FIRST if name in self._known)
        kind = self._known.get("kind")
        chosen = self._given.get("kind") or str(kind.default if kind else "")
        rest = self._action.questions.get(chosen, tuple(self._known))
        yield from (self._known[name] for name in rest if name not in FIRST)

    def _ask(self, parameter: Parameter) -> None:
        """One question, until there is nothing against its answer but what a later one settles."""
        self._cli.print(Text(f"{parameter.name}: {parameter_help(parameter)}", style="dim"))
        refused = self._refusal()
        while True:
            text = self._answer(parameter)
            against = self._against(parameter, text, refused)
            if not against:
                self._given[parameter.name] = text
                return
            self._cli.warn(against)
            for earlier in [self._known[name] for name in self._given if name not in FIRST and not text]:
                if not self._given[earlier.name] and mentions(against, earlier.name):
                    self._given[earlier.name] = self._answer(earlier)

    def _answer(self, parameter: Parameter) -> str:
        before = self._given.get(parameter.name, _default(parameter))
        return ask(f"  {parameter.name}", default=before, show_default=bool(before)).strip()

    def _against(self, parameter: Parameter, text: str, before: str) -> str:
        """What is wrong with an answer, "" if nothing is; ``before`` is what the rules had against the answers before it."""
        if not text and parameter.required:
            return f"{parameter.name} is needed."
        try:
            if text:
                self._check_value(parameter, text)
        except RollbookError as reason:
            return str(reason)
        now = self._refusal({parameter.name: text})
        if text and parameter.name not in FIRST and mentions(now, parameter.name):
            return now
        waits = any(mentions(now, later.name) for later in self._later(parameter))
        return "" if waits or (now == before and not mentions(now, parameter.name)) else now

    def _check_value(self, parameter: Parameter, text: str) -> None:
        """Raises RollbookError for what is none of its values, an id that is taken, a seat that nobody has."""
        if "," not in text or not parameter.several:
            read_value(parameter, text, self._campaign.state)
        if parameter.name == "id" and text in self._campaign.state.characters:
            raise RollbookError(f"There is already a character called {text!r}. Give another id, or none.")
        if parameter.name == "id" and slug(text) != text:
            raise RollbookError(f"{text!r} cannot be typed easily; call the character {slug(text)!r} in commands.")
        if parameter.name == "seat" and text not in self._campaign.state.seats:
            sit = ", ".join(self._campaign.state.seats) or "nobody yet"
            raise RollbookError(f"Nobody called {text} sits at this table. Seats: {sit}.")

    def _later(self, parameter: Parameter) -> Iterator[Parameter]:
        """What is asked after this and has no answer yet."""
        return (each for each in self._questions() if each.name not in self._given and each.name != parameter.name)

    def _blamed(self, reason: str) -> Sequence[Parameter]:
        """The questions that a refusal is about; all of them if it names none."""
        asked = list(self._questions())
        return [each for each in asked if mentions(reason, each.name)] or asked

    # What the rules say.

    def _said(self, more: dict[str, str] | None = None) -> Iterator[str]:
        """The answers as they would have been typed."""
        for name, text in {**self._given, **(more or {})}.items():
            parameter = self._known[name]
            if text and text != _default(parameter):
                yield f"--{parameter.option}={text}"

    def _turn(self, more: dict[str, str] | None = None) -> Turn:
        given = {name: text for name, text in {**self._given, **(more or {})}.items() if text}
        given = {name: text for name, text in given.items() if text != _default(self._known[name])}
        return Turn(build(self._action, read_parameters(self._action, given, self._campaign.state)))

    def _refusal(self, more: dict[str, str] | None = None) -> str:
        """What the rules have against the answers so far, "" for nothing."""
        try:
            return self._campaign.refusal(self._turn(more))
        except RollbookError as reason:
            return str(reason)

    # Dice.

    def _dice(self) -> tuple[str, ...]:
        """The dice, if the action takes any: drawn from the session, which may be opened for it, or typed."""
        try:
            wanted = self._campaign.wanted_dice(self._turn())
        except RollbookError:
            return ()
        if not wanted:
            return ()
        self._cli.print(f"This takes {wanted}.")
        session = self._campaign.state.session
        has_session = session is not None and session.is_open
        if not has_session and agree("No session is open. Open one, so that they can be drawn?", default=True):
            opened = perform(self._campaign, verb_of(self._campaign, OPEN_SESSION), ())
            self._cli.project()
            show_performed(self._cli, self._campaign, opened)
            has_session = True
        default = DRAWN if has_session else ""
        faces = ask("Real dice, in this order", default=default, show_default=bool(default)).strip()
        return () if faces in ("", DRAWN) else (DICE_MARK, faces)


class Answers:
    """Answers that wait for next time, in a file that only the user reads."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, str]:
        """What was answered; nothing if there is no such file, or none that can be read."""
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
        """They were used, or are not wanted."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if default is None or (default == 0 and not isinstance(default, bool)):
        return ""
    return typed(default)


def offer_choices(cli: CliContext, campaign: Campaign, who: str, choose: type[Action], *, ask: bool) -> None:
    """Say what is still to be chosen, choices of a sort together, and if somebody is there, let them choose."""
    of_a_sort: dict[tuple[str, ...], list[str]] = {}
    for choice, open_choice in campaign.state.characters[who].choices.items():
        of_a_sort.setdefault(open_choice.keys, []).append(choice)
    for options, choices in of_a_sort.items():
        cli.print(Text(f"Still open: {', '.join(choices)} ({', '.join(options) or 'any word'})"))
        if not ask:
            cli.print(f"  rollbook do {choose.verb} {who} {choices[0]} …")
            continue
        _ask_choices(cli, campaign, who, choose, choices)


LATER = "later"


def _ask_choices(cli: CliContext, campaign: Campaign, who: str, choose: type[Action], choices: Iterable[str]) -> None:
    for choice in choices:
        picked = ask(f"  {choice}, or {LATER}", default=LATER)
        if picked == LATER:
            return
        campaign.refresh()
        try:
            taken = perform(campaign, choose, (who, choice, picked))
        except RollbookError as reason:
            cli.warn(f"{reason} It stays open.")
            continue
        cli.project()
        show_performed(cli, campaign, taken)
