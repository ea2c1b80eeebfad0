"""Playing line by line: a script, or what is typed at the prompt. A line is a verb, a correction or a question."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from adapters.cli.faults import AtLine, report
from adapters.cli.taking import take, tell
from adapters.cli.verbs import candidates, verb_of, verbs_of
from adapters.spoken import Misspoken, pairs, split_dice, words
from domain.actions import slug
from domain.errors import NotFound, RollbookError, not_found

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk

CAMPAIGN, NARRATION, QUIET = "campaign", "#:", "#."
"""The first line of a script; lines that are read out; from where on a demonstration does not tell every action."""

CORRECTIONS = ("undo", "redo", "amend", "override", "reroll")
QUESTIONS = (
    *("sheet", "why", "diff", "log", "xp", "odds", "stats", "verbs", "timelines", "compare"),
    *("audit", "receipt", "campaigns", "rulesets"),
)
DEEDS = ("fork", "rerun", "take-over", "export", "reveal", "redact")
"""Other commands that a table wants without leaving the prompt."""

COMMANDS = (*CORRECTIONS, *QUESTIONS, *DEEDS)
X_CARD = "x-card"
REVEAL = "reveal"
"""The command finds what an action kept, so it goes before the verb of the same name."""

ANSWERS = frozenset({"--resume", "--skip", "--adjust", "--rewind", "--help"})
"""With one of these an X-card is answered; without, it is raised."""

LEAVE = ("quit", "exit", "bye")


def script(file: str | None) -> list[str]:
    """The lines of a script. Raises NotFound, RollbookError."""
    try:
        text = sys.stdin.read() if file in (None, "-") else Path(str(file)).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"There is no file {file}.") from None
    except UnicodeDecodeError:
        raise RollbookError(f"{file} is not a text in UTF-8, so it is no script.") from None
    except OSError as error:
        raise RollbookError(f"{file} cannot be read: {error.strerror}.") from None
    return text.removeprefix("\ufeff").splitlines()


def play_script(desk: Desk, lines: Sequence[str], name: str = "") -> None:
    """Play every line. An error names its line; everything before it stays recorded."""
    player = Player(desk)
    begun = False
    try:
        for number, text in enumerate(lines, 1):
            try:
                said = player.hear(text)
                if said and not begun:
                    begun = True
                    _begin(desk, said, name)
                    said = [] if said[0] == CAMPAIGN else said
                if said:
                    player.play(said)
            except (RollbookError, click.ClickException) as fault:
                raise AtLine(number, fault) from fault
    finally:
        if begun and desk.is_seated:
            desk.project()
    if not begun:
        raise RollbookError("There is nothing to play in this script.")


def _begin(desk: Desk, said: Sequence[str], name: str) -> None:
    """The first line: a campaign of its own, or the one that is being played anyway."""
    if said[0] != CAMPAIGN:
        if name:
            raise Misspoken(f'--as is for scripts that begin with a line: {CAMPAIGN} "NAME" RULESET')
        desk.campaign()
        return
    if len(said) < 3:
        raise Misspoken(f'The first line is written: {CAMPAIGN} "NAME" RULESET [key=value ...]')
    book = desk.book(create=True)
    called = name or said[1]
    if slug(called) in book.campaigns():
        raise RollbookError(
            f"There is already a campaign {slug(called)!r} in this store, so the script was not played. "
            f"Give it another name with: --as NAME"
        )
    desk.sit_at(book.new(called, said[2], pairs(said[3:])))


class Player:
    """Somebody who says line after line."""

    def __init__(self, desk: Desk, *, asks: bool = False) -> None:
        self.desk = desk
        self._asks = asks
        self._aloud = True

    def hear(self, text: str) -> list[str]:
        """The words of a line; none if it is a comment. Narration is read out."""
        text = text.strip()
        if text.startswith(NARRATION):
            self._aloud = True
            self._narrate(text.removeprefix(NARRATION).strip())
            return []
        if text.startswith(QUIET):
            self._aloud = not self.desk.briefly
            return []
        return [] if text.startswith("#") and not text[1:2].isdecimal() else words(text)

    def _narrate(self, text: str) -> None:
        if not self.desk.json and text:
            self.desk.say(Text(text, style="italic"))

    def play(self, said: Sequence[str]) -> None:
        """One line."""
        first, rest = said[0], said[1:]
        if first == CAMPAIGN:
            raise Misspoken("A script has one campaign, and its first line names it.")
        campaign = self.desk.campaign()
        if first == X_CARD and not ANSWERS.isdisjoint(rest):
            self._command(first, rest)
            return
        if first == REVEAL or (first not in verbs_of(campaign) and first in COMMANDS):
            self._command(first, rest)
            return
        if first not in verbs_of(campaign):
            campaign.rulebook.require(campaign.state)
            raise not_found("verb", first, (*verbs_of(campaign), *COMMANDS))
        taken = take(campaign, verb_of(campaign, first), rest)
        if self._aloud:
            tell(self.desk, campaign, taken)

    def _command(self, name: str, rest: Sequence[str]) -> None:
        from adapters.cli.main import rollbook

        command = rollbook.commands[name]
        args = _with_dice(name, rest)
        asks = (name in (*CORRECTIONS, "take-over") and name != "reroll") or "--rewind" in args
        if asks and not self._asks and not {"--yes", "--preview"} & set(args):
            args.append("--yes")
        with self.desk.for_a_while(quiet=not self._aloud), suppress(click.exceptions.Exit):
            ctx = command.make_context(name, args, obj=self.desk)
            command.invoke(ctx)


def _with_dice(name: str, rest: Sequence[str]) -> list[str]:
    """Dice after a ``!`` as the option that they are for the command."""
    before, dice = split_dice(rest)
    if dice is None:
        if before and before[-1] == "--dice":
            raise Misspoken("--dice needs the faces after it, as in --dice 14,4.")
        return before
    typed_again = name == "amend" and not any("=" in word and not word.startswith("-") for word in before)
    return [*before, "--retype" if typed_again else "--dice", ",".join(map(str, dice))]


def at_the_prompt(desk: Desk) -> None:
    """Play what is typed until it ends."""
    campaign = desk.campaign()
    player = Player(desk, asks=True)
    with _completion(desk):
        desk.say(Text(f"{campaign.state.name}. Type a verb, help or quit; Tab completes.", style="dim"))
        while True:
            try:
                typed = input(f"{campaign.id}> ")
            except EOFError:
                desk.say("")
                return
            except KeyboardInterrupt:
                desk.say("")
                continue
            if typed.strip() in LEAVE:
                return
            if typed.split()[:1] == [X_CARD] and ANSWERS.isdisjoint(typed.split()):
                _forget_the_line(desk, f"{campaign.id}> ", typed)
            try:
                _answer(player, typed)
            except (click.Abort, KeyboardInterrupt):
                desk.say("Stopped. Nothing was recorded.")
            except Exception as fault:  # noqa: BLE001 - the evening goes on
                report(fault, as_json=desk.json)


def _forget_the_line(desk: Desk, prompt: str, typed: str) -> None:
    """What stood on the line besides the card, a seat say, is neither left on the screen nor within reach of a key."""
    with suppress(ImportError, ValueError):
        import readline

        readline.remove_history_item(readline.get_current_history_length() - 1)
    if desk.out.is_terminal and not desk.out.is_dumb_terminal:
        rows = 1 + len(prompt + typed) // desk.out.width
        sys.stdout.write("\x1b[A\x1b[2K" * rows + f"\r{prompt}{X_CARD}\n")
        sys.stdout.flush()


def _answer(player: Player, typed: str) -> None:
    said = player.hear(typed)
    if not said:
        return
    desk = player.desk
    if said[0] in ("help", "?"):
        _help(desk, said[1:])
        return
    player.play(said)
    desk.project()


def _help(desk: Desk, said: Sequence[str]) -> None:
    from adapters.cli.ask import show_verbs
    from adapters.cli.main import rollbook

    if said and said[0] in (X_CARD, *COMMANDS):
        with click.Context(rollbook.commands[said[0]], info_name=said[0], max_content_width=110) as ctx:
            desk.say(ctx.get_help())
        return
    show_verbs(desk, said[0] if said else "")
    if not said:
        desk.say(Text(f"Also: {', '.join((X_CARD, *COMMANDS))}, help VERB, quit", style="dim"))


class _completion:  # noqa: N801 - a context manager
    """Tab completes verbs, characters, choices and options while the prompt is open."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._found: list[str] = []

    def __enter__(self) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer_delims(" \t")
        readline.set_completer(self._complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")

    def __exit__(self, *_: object) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer(None)

    def _complete(self, incomplete: str, state: int) -> str | None:
        import readline

        if state == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()].split()
            self._found = sorted(complete(self._desk, before, incomplete))
        return f"{self._found[state]} " if state < len(self._found) else None


def complete(desk: Desk, before: Sequence[str], incomplete: str) -> Iterator[str]:
    """Words that go on from ``incomplete`` after the words ``before`` at the prompt."""
    try:
        campaign = desk.campaign()
        if not before:
            known: Sequence[str] = (*dict.fromkeys((*verbs_of(campaign), *COMMANDS)), "help", "quit")
        elif before[0] in ("sheet", "xp"):
            known = tuple(campaign.state.characters)
        elif before[0] == "help":
            known = tuple(dict.fromkeys((*verbs_of(campaign), *COMMANDS)))
        elif before[0] == "odds":
            known = tuple(verbs_of(campaign)) if len(before) == 1 else _next_words(campaign, before[1:], incomplete)
        else:
            known = _next_words(campaign, before, incomplete)
    except (RollbookError, click.ClickException):
        return
    yield from (word for word in known if word.casefold().startswith(incomplete.casefold()))


def _next_words(campaign: CampaignBook, before: Sequence[str], incomplete: str) -> tuple[str, ...]:
    return tuple(candidates(campaign, verb_of(campaign, before[0]), before[1:], incomplete))
