"""Rulesets and verbs, listed or in full."""

import click
from rich.text import Text

from adapters.cli.context import CliContext
from adapters.cli.json import json_shape, merged
from adapters.cli.verb_commands import VerbCommand, own_and_shared, verb_of, verb_summary, verbs_of
from adapters.cli.views.table import print_columns, print_table
from adapters.registry import RulesetRegistry
from adapters.verb_line import usage_line, user_parameters
from domain.action import Action, usage
from domain.parameters import Parameter
from domain.ruleset import Ruleset, settings_fields

json_shape(Parameter, "name", "want", "required", "default", "choices", "unit", "help")
json_shape(Ruleset, "title", "version", "summary", ruleset=lambda ruleset: ruleset.key)


def verb_json(verb: type[Action], ruleset: str = "") -> dict[str, object]:
    """A verb, which is a class; of no ruleset if every game has it. Its needed parameters come first, as they are typed."""
    return {
        "verb": verb.verb,
        "ruleset": ruleset,
        "usage": usage(verb),
        "help": " ".join((verb.__doc__ or "").split()),
        "gm_only": verb.gm_only,
        "final": verb.final,
        "parameters": sorted(user_parameters(verb), key=lambda parameter: not parameter.required),
    }


def show_rulesets(cli: CliContext, registry: RulesetRegistry) -> None:
    """The rulesets that are installed."""
    if cli.json:
        for key, ruleset in registry.rulesets.items():
            cli.data(merged(ruleset, origin=registry.origins.get(key, "")))
        for fault in registry.broken:
            cli.data({"broken": str(fault)})
        return
    rows = [
        (key, ruleset.title, ruleset.version, registry.origins.get(key, ""), ruleset.summary)
        for key, ruleset in registry.rulesets.items()
    ]
    if rows:
        print_table(cli, ("ruleset", "title", "version", "from", ""), rows)
    else:
        cli.print("No ruleset is installed.")
    for fault in registry.broken:
        cli.warn(str(fault))


def show_ruleset(cli: CliContext, registry: RulesetRegistry, key: str) -> None:
    """One ruleset: its verbs and settings."""
    ruleset = registry.ruleset(key)
    settings = settings_fields(ruleset)
    if cli.json:
        cli.data(
            merged(
                ruleset,
                origin=registry.origins.get(key, ""),
                settings=settings,
                second_thoughts=ruleset.second_thoughts,
                verbs=[verb_json(verb, key) for verb in ruleset.actions],
            )
        )
        return
    cli.print(Text.assemble((ruleset.title, "bold"), f"  {ruleset.version}  from {registry.origins.get(key, 'here')}"))
    cli.print(ruleset.summary)
    if settings:
        cli.print(Text("House rules (rollbook new NAME --set key=value)", style="bold yellow"))
        rows = [
            (Text(rule.name, "bold"), _default_text(rule.default), Text("|".join(rule.choices), "dim"), rule.help)
            for rule in settings
        ]
        print_columns(cli, rows, indent=2)
    cli.print(Text("Verbs", style="bold yellow"))
    print_columns(
        cli, [(Text(a.verb, style="bold"), Text(verb_summary(a), style="dim")) for a in ruleset.actions], indent=2
    )


def _default_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def show_verbs(cli: CliContext, name: str) -> None:
    """All verbs in two groups, or one in full."""
    campaign = cli.campaign()
    ruleset = campaign.rulebook.ruleset_of(campaign.state)
    known = verbs_of(campaign)
    if name:
        action = verb_of(campaign, name)
        known = {name: action}
        if not cli.json:
            command = VerbCommand(action)
            with click.Context(command, info_name=f"rollbook do {name}", max_content_width=110) as ctx:
                cli.print(command.get_help(ctx))
            return
    own, every = own_and_shared(ruleset, known)
    if cli.json:
        for action in (*own, *every):
            cli.data(verb_json(action, campaign.state.ruleset if action in own else ""))
        return
    _verb_table(cli, f"Verbs of {ruleset.title if ruleset else campaign.state.ruleset}", own)
    _verb_table(cli, "Verbs of every game", every)
    cli.print("", "How one is written in full: rollbook verbs VERB, or rollbook do VERB --help")


def _verb_table(cli: CliContext, title: str, actions: list[type[Action]]) -> None:
    if not actions:
        return
    cli.print(Text(title, style="bold yellow"))
    rows = []
    for action in actions:
        usage = Text.assemble((action.verb, "bold"), usage_line(action).removeprefix(action.verb))
        rows.append((usage, Text(verb_summary(action), style="dim")))
    print_columns(cli, rows, indent=2)
