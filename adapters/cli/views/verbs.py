"""Rulesets and verbs, listed or in full."""

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.json import json_shape, merged
from rollbook.adapters.cli.paged_help import show_help_of
from rollbook.adapters.cli.styled import Text
from rollbook.adapters.cli.verb_commands import VerbCommand
from rollbook.adapters.cli.views.table import print_section, print_table
from rollbook.application.lines.verb_line import usage_line, user_parameters
from rollbook.application.registry import RulesetRegistry
from rollbook.application.verbs import dice_order, own_and_shared, verb_of, verb_summary
from rollbook.domain.rules.action import Action, is_the_gms, usage
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, settings_fields

json_shape(Parameter, "name", "want", "required", "default", "choices", "unit", "help")
json_shape(Ruleset, "title", "version", "summary", ruleset=lambda ruleset: ruleset.key)


def verb_json(verb: type[Action], ruleset: str = "") -> dict[str, object]:
    """A verb, which is a class; of no ruleset if every game has it. Its needed parameters come first, as they are typed."""
    return {
        "verb": verb.verb,
        "ruleset": ruleset,
        "usage": usage(verb),
        "help": " ".join((verb.__doc__ or "").split()),
        "typed_dice": dice_order(verb),
        "gm_only": is_the_gms(verb),
        "final": verb.final,
        "parameters": sorted(user_parameters(verb), key=lambda parameter: not parameter.required),
    }


def show_rulesets(cli: CliContext, registry: RulesetRegistry) -> None:
    """The rulesets that are installed."""
    if cli.json:
        cli.data(*(merged(rules, origin=registry.origins.get(key, "")) for key, rules in registry.rulesets.items()))
        cli.data(*({"broken": str(fault)} for fault in registry.broken))
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
    print_section(cli, "House rules (rollbook new NAME --set key=value)", settings, _setting_row)
    print_section(
        cli, "Verbs", ruleset.actions, lambda verb: (Text(verb.verb, "bold"), Text(verb_summary(verb), "dim"))
    )


def _setting_row(rule: Parameter) -> tuple[Text | str, ...]:
    default = {True: "yes", False: "no"}[rule.default] if isinstance(rule.default, bool) else str(rule.default)
    return Text(rule.name, "bold"), default, Text(", ".join(rule.choices), "dim"), rule.help


def show_verbs(cli: CliContext, name: str) -> None:
    """All verbs in two groups, or one in full."""
    campaign = cli.campaign()
    wanted = verb_of(campaign, name) if name else None
    if wanted and not cli.json:
        show_help_of(cli, VerbCommand(wanted), f"rollbook do {name}")
        return
    is_gm = cli.reader is None
    own, every = (
        [verb for verb in verbs if wanted in (None, verb) and (is_gm or wanted or not is_the_gms(verb))]
        for verbs in own_and_shared(campaign)
    )
    if cli.json:
        cli.data(*(verb_json(verb, campaign.state.ruleset) for verb in own), *map(verb_json, every))
        return
    ruleset = campaign.rulebook.ruleset_of(campaign.state)
    print_section(cli, f"Verbs of {ruleset.title if ruleset else campaign.state.ruleset}", own, _verb_row)
    print_section(cli, "Verbs of every game", every, _verb_row)
    cli.print("", "How one is written in full: rollbook verbs VERB, or rollbook do VERB --help")


def _verb_row(verb: type[Action]) -> tuple[Text, Text]:
    usage = Text.assemble((verb.verb, "bold"), usage_line(verb).removeprefix(verb.verb))
    return usage, Text(verb_summary(verb), style="dim")
