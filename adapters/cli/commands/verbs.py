"""verbs and rulesets."""

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command, complete_ruleset, paged
from rollbook.adapters.cli.views.verbs import show_ruleset, show_rulesets, show_verbs
from rollbook.adapters.plugins.registry import discover


@command()
@click.argument("verb", required=False)
@paged
def verbs(cli: CliContext, verb: str | None) -> None:
    """The verbs that the campaign has; with VERB, what it needs."""
    show_verbs(cli, verb or "")


@command()
@click.argument("key", required=False, shell_complete=complete_ruleset)
@paged
def rulesets(cli: CliContext, key: str | None) -> None:
    """The rulesets at hand and where they come from; with KEY, the house rules and verbs of one."""
    registry = discover()
    if key:
        show_ruleset(cli, registry, key)
    else:
        show_rulesets(cli, registry)
