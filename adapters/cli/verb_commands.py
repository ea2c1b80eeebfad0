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
from rollbook.application.forms.described import help_of
from rollbook.application.lines.short_forms import ShortForms
from rollbook.application.lines.verb_line import COMMON, user_parameters
from rollbook.application.verbs import dice_order, own_and_shared, verb_of, verb_summary, verbs_of
from rollbook.application.visibility.seat_view import sayable, view_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.rules.action import Action, usage
from rollbook.domain.rules.parameters import ParameterType


def _help(action: type[Action]) -> str:
    """What the verb does, and the order of its typed dice."""
    order = dice_order(action)
    return (action.__doc__ or "").strip() + (f"\n\nTyped dice: {order}." if order else "")


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
            help=_help(action),
            short_help=verb_summary(action),
            context_settings={"ignore_unknown_options": True, "max_content_width": 110},
        )

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How the verb is written."""
        name, _, rest = usage(self.action).partition(" ")
        before = ctx.command_path.removesuffix(name).strip()
        dice = "" if "dice" in self.without else " [! DICE]"
        formatter.write_usage(f"{before} {name}".strip(), f"{rest}{dice}".strip())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its parameters, with what they may be."""
        mine = user_parameters(self.action)
        needed = [(p.name.upper(), help_of(p)) for p in mine if p.required]
        wanted = {p.name: "" if p.want is ParameterType.FLAG else f" {p.want.upper()}" for p in mine}
        free = [(f"--{p.option}{wanted[p.name]}", help_of(p)) for p in mine if not p.required]
        own = {*(p.option for p in mine), *self.without}
        common = [(f"--{name}", text) for name, text in COMMON.items() if name not in own and not self.action.anonymous]
        for title, rows in (("It needs", needed), ("It may have", free), ("Every verb has", common)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        with formatter.section("Every command has"):
            records = [record for record in (p.get_help_record(ctx) for p in self.get_params(ctx)[1:]) if record]
            formatter.write_dl(records)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        said = tuple(ctx.params.get("said") or ())
        own = sayable(self.action, view_of(cli_of(ctx).campaign(), said, self.action)) or ()
        words = [f"--{name}" for name in (*own, *COMMON)]
        known = [CompletionItem(word) for word in words if word.startswith(incomplete)]
        return [*known, *super().shell_complete(ctx, incomplete)]


def complete_words(verb: Callable[[Campaign], type[Action]]) -> Completer:
    """Completion of the words after a verb, as at the prompt."""

    def known(ctx: click.Context, incomplete: str) -> Iterable[str]:
        campaign = cli_of(ctx).campaign()
        action, said = verb(campaign), tuple(ctx.params.get("said") or ())
        return ShortForms().offers(campaign, action, (action.verb, *said), incomplete)

    return completer(known)
