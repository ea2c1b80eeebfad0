"""Commands that are declared without click, and the verbs of a game, as click's.

It reads their words, writes their page of help and completes them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import CODES, ReportedFailure
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import Completer, cli_of, click_parameter, completer, shared_options
from rollbook.adapters.line_commands.declared import Command, UsageError
from rollbook.application.lines.answering import AnsweredFailure
from rollbook.application.lines.verb_line import COMMON
from rollbook.application.verbs import own_and_shared, verb_of, verb_summary, verbs_of
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.application.campaign import Campaign
    from rollbook.domain.rules.action import Action

VALUES = "rollbook.values"
"""Under this name a group hands on to the verb what was typed before it."""


class VerbGroup(PagedHelp, click.Group):
    """The verbs as subcommands: ``run`` gets the verb and the words ``said`` after it; they have no options ``without``."""

    def __init__(self, *args: Any, run: Callable[..., object], without: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **{"subcommand_metavar": "VERB ...", **settings})
        self._run = run
        self._without = without

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs of the campaign; none if there is no campaign yet."""
        try:
            return list(verbs_of(cli_of(ctx).campaign()))
        except (RollbookError, click.ClickException):
            return []

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A verb. Raises NotFound with the nearest verbs."""
        cli = cli_of(ctx)
        verb = verb_of(cli.campaign(), cmd_name)
        return VerbCommand(verb, partial(self._run, cli, verb), self._without)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which verbs there are depends on the campaign, which may be named after the verb."""
        _note_shared_options(cli_of(ctx), args)
        return args[0], self.get_command(ctx, args[0]), args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The ruleset's own verbs, then the shared ones."""
        try:
            campaign = cli_of(ctx).campaign()
        except (RollbookError, click.ClickException) as reason:
            formatter.write_paragraph()
            formatter.write_text(str(getattr(reason, "message", reason)))
            return
        own, every = own_and_shared(campaign)
        for title, actions in ((f"Verbs of {campaign.state.ruleset}", own), ("Verbs of every game", every)):
            if actions:
                with formatter.section(title):
                    formatter.write_dl([(action.verb, verb_summary(action)) for action in actions])


def _note_shared_options(cli: CliContext, args: Sequence[str]) -> None:
    names = {"-c": "named", "--campaign": "named", "--store": "store"}
    for place, word in enumerate(args):
        name, sign, value = word.partition("=")
        if name in names and sign:
            setattr(cli, names[name], value)
        elif word in names and place + 1 < len(args):
            setattr(cli, names[word], args[place + 1])


class VerbCommand(PagedHelp):
    """One verb: click knows the options of every command, the rest is read as any line at the table is."""

    def __init__(
        self, action: type[Action], run: Callable[..., object] | None = None, without: Sequence[str] = ()
    ) -> None:
        self.action = action
        self.without = without
        said = click.Argument(
            ["said"], nargs=-1, type=click.UNPROCESSED, shell_complete=complete_words(lambda _: action)
        )
        super().__init__(
            action.verb,
            callback=run,
            params=[said, *shared_options()],
            short_help=verb_summary(action),
            context_settings={"ignore_unknown_options": True, "max_content_width": 110},
        )

    def get_help(self, ctx: click.Context) -> str:
        """Its page, with what it needs and what it may have."""
        from rollbook.adapters.line_commands.verb_help import verb_help

        name = self.action.verb
        before = ctx.command_path.removesuffix(name).strip()
        words = tuple(ctx.help_option_names)
        return verb_help(self.action, before, without=self.without, help_words=words)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        said = tuple(ctx.params.get("said") or ())
        from rollbook.application.lines.seat_view import sayable, view_of

        own = sayable(self.action, view_of(cli_of(ctx).campaign(), said, self.action)) or ()
        words = [f"--{name}" for name in (*own, *COMMON)]
        known = [CompletionItem(word) for word in words if word.startswith(incomplete)]
        return [*known, *super().shell_complete(ctx, incomplete)]


def complete_words(verb: Callable[[Campaign], type[Action]]) -> Completer:
    """Completion of the words after a verb, as at the prompt."""

    def known(ctx: click.Context, incomplete: str) -> Iterable[str]:
        from rollbook.application.lines.short_forms import ShortForms

        campaign = cli_of(ctx).campaign()
        action, said = verb(campaign), tuple(ctx.params.get("said") or ())
        return ShortForms().offers(campaign, action, (action.verb, *said), incomplete)

    return completer(known)


@cache
def clicked(command: Command) -> click.Command:
    """A command as click's, which is made once."""
    help_text = inspect.cleandoc(command.help)
    if command.before_verb:
        return VerbGroup(
            command.name,
            run=partial(_call_of_verb, command),
            without=command.without,
            callback=_keep_values,
            params=[*(click_parameter(each) for each in command.parameters if each.words), *shared_options()],
            help=help_text,
            context_settings={"max_content_width": 110},
        )
    params = [*map(click_parameter, command.parameters), *shared_options()]
    return PagedHelp(command.name, callback=partial(_call, command), params=params, help=help_text)


def _call(command: Command, **values: object) -> object:
    ctx = click.get_current_context()
    try:
        return command(cli_of(ctx), **values)
    except UsageError as fault:
        raise click.UsageError(str(fault), ctx) from fault
    except AnsweredFailure as fault:
        raise ReportedFailure(CODES[fault.kind]) from fault


def _keep_values(**values: object) -> None:
    click.get_current_context().meta[VALUES] = values


def _call_of_verb(command: Command, _: CliContext, verb: type[Action], said: Sequence[str]) -> object:
    return _call(command, said=(verb.verb, *said), **click.get_current_context().meta[VALUES])
