"""verbs and rulesets."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, paged
from rollbook.adapters.line_commands.options import suggest_rulesets
from rollbook.adapters.line_commands.views.verbs import show_ruleset, show_rulesets, show_verbs
from rollbook.adapters.plugins.installed_rulesets import discover


@command()
@argument("verb", required=False)
@paged
def verbs(context: CommandContext, verb: str | None) -> None:
    """The verbs that the campaign has; with VERB, what it needs."""
    show_verbs(context, verb or "")


@command()
@argument("key", required=False, suggest=suggest_rulesets)
@paged
def rulesets(context: CommandContext, key: str | None) -> None:
    """The rulesets at hand and where they come from; with KEY, the house rules and verbs of one."""
    registry = discover()
    if key:
        show_ruleset(context, registry, key)
    else:
        show_rulesets(context, registry)
