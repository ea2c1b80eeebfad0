"""A click subcommand for each verb of the ruleset, made from its parameters."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import click
from click.shell_completion import CompletionItem

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import Completer, cli_of, completer, shared_options
from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import COMMON
from rollbook.application.verbs import own_and_shared, verb_of, verb_summary, verbs_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.synonyms import in_this_game
from rollbook.domain.rules.action import Action


class VerbGroup(PagedHelp, click.Group):
    """The verbs as subcommands: ``run`` gets the verb and the words after it; the options ``without`` are left out."""

    def __init__(self, *args: Any, run: Callable[..., object], without: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **{"subcommand_metavar": "VERB ...", **settings})
        self._run = run
        self._without = without

    def list_commands(self, ctx: click.Context) -> list[str]:
        try:
            return list(verbs_of(cli_of(ctx).campaign()))
        except (RollbookError, click.ClickException):
            return []

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._command(cli_of(ctx), verb_of(cli_of(ctx).campaign(), cmd_name))

    def _command(self, cli: CliContext, verb: type[Action]) -> click.Command:
        return VerbCommand(verb, partial(self._run, cli, verb), self._without)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        cli = cli_of(ctx)
        _note_shared_options(cli, args)
        known = verbs_of(cli.campaign())
        args = in_this_game(args, known)
        verb = known.get(args[0]) or verb_of(cli.campaign(), args[0])
        return args[0], self._command(cli, verb), args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
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
    """One verb: click reads the options of every command, and the rest is read as any line at the table."""

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
        from rollbook.adapters.line_commands.verb_help import verb_help

        name = self.action.verb
        before = ctx.command_path.removesuffix(name).strip()
        words = tuple(ctx.help_option_names)
        return verb_help(cli_of(ctx).campaign(), self.action, before, without=self.without, help_words=words)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from rollbook.application.lines.seat_view import sayable, view_of

        said = tuple(ctx.params.get("said") or ())
        own = sayable(self.action, view_of(cli_of(ctx).campaign(), said, self.action)) or ()
        words = [f"--{name}" for name in (*own, *COMMON)]
        known = [CompletionItem(word) for word in words if word.startswith(incomplete)]
        return [*known, *super().shell_complete(ctx, incomplete)]


def complete_words(verb: Callable[[Campaign], type[Action]]) -> Completer:
    """Complete the words after a verb, as at the prompt."""

    def known(ctx: click.Context, incomplete: str) -> Iterable[str]:
        from rollbook.application.lines.short_forms import ShortForms

        campaign = cli_of(ctx).campaign()
        action, said = verb(campaign), tuple(ctx.params.get("said") or ())
        return ShortForms().offers(campaign, action, (action.verb, *said), incomplete)

    return completer(known)
