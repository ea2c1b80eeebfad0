"""Rulesets and verbs, listed or in full."""

from collections.abc import Mapping

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.adapters.line_commands.styled import GAP, Rows, Text
from rollbook.adapters.line_commands.verb_help import verb_help
from rollbook.adapters.line_commands.views.board import opening
from rollbook.adapters.line_commands.views.table import print_section, print_table
from rollbook.application.lines.examples import example_of
from rollbook.application.lines.sayable_now import sayable_now
from rollbook.application.lines.verb_line import usage_line
from rollbook.application.registry import RulesetRegistry
from rollbook.application.verbs import dice_order, own_and_shared, verb_of, verb_summary
from rollbook.domain.rules.action import Action, is_the_gms, usage, user_parameters
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from rollbook.projections.status import status_of

FEW = 8
"""Verbs with a line of their own in a fight."""

json_shape(Parameter, "name", "want", "required", "default", "choices", "unit", "help")
json_shape(Ruleset, "title", "version", "summary", "notice", ruleset=lambda ruleset: ruleset.key)


def verb_json(verb: type[Action], ruleset: str = "") -> dict[str, object]:
    """JSON of a verb; ``ruleset`` is "" if every game has it. Required parameters come first, as they are typed."""
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


def show_rulesets(context: CommandContext, registry: RulesetRegistry) -> None:
    """Print the rulesets that are installed."""
    if context.json:
        context.data(*(merged(rules, origin=registry.origins.get(key, "")) for key, rules in registry.rulesets.items()))
        context.data(*({"broken": str(fault)} for fault in registry.broken))
        return
    rows = [
        (key, ruleset.title, ruleset.version, registry.origins.get(key, ""), ruleset.summary)
        for key, ruleset in registry.rulesets.items()
    ]
    if rows:
        print_table(context, ("ruleset", "title", "version", "from", ""), rows)
    else:
        context.print("No ruleset is installed.")
    for fault in registry.broken:
        context.warn(str(fault))


def show_ruleset(context: CommandContext, registry: RulesetRegistry, key: str) -> None:
    """Print one ruleset: its verbs and settings."""
    ruleset = registry.ruleset(key)
    settings = settings_fields(ruleset)
    if context.json:
        context.data(
            merged(
                ruleset,
                origin=registry.origins.get(key, ""),
                settings=settings,
                second_thoughts=ruleset.second_thoughts,
                verbs=[verb_json(verb, key) for verb in ruleset.actions],
            )
        )
        return
    context.print(
        Text.assemble((ruleset.title, "bold"), f"  {ruleset.version}  from {registry.origins.get(key, 'here')}")
    )
    context.print(ruleset.summary)
    print_section(context, "House rules (rollbook new NAME --set key=value)", settings, _setting_row)
    print_section(
        context, "Verbs", ruleset.actions, lambda verb: (Text(verb.verb, "bold"), Text(verb_summary(verb), "dim"))
    )
    if ruleset.notice:
        context.print("", Text(ruleset.notice, "dim"))


def _setting_row(rule: Parameter) -> tuple[Text | str, ...]:
    default = {True: "yes", False: "no"}[rule.default] if isinstance(rule.default, bool) else str(rule.default)
    return Text(rule.name, "bold"), default, Text(", ".join(rule.choices), "dim"), rule.help


def show_verbs(context: CommandContext, name: str) -> None:
    """Print all verbs in two groups, or one in full."""
    campaign = context.campaign()
    wanted = verb_of(campaign, name) if name else None
    if wanted and not context.json:
        context.print(verb_help(campaign, wanted, "rollbook do"))
        return
    is_gm = context.reader is None
    own, every = (
        [verb for verb in verbs if wanted in (None, verb) and (is_gm or wanted or not is_the_gms(verb))]
        for verbs in own_and_shared(campaign)
    )
    if context.json:
        context.data(*(verb_json(verb, campaign.state.ruleset) for verb in own), *map(verb_json, every))
        return
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    print_section(context, f"Verbs of {ruleset.title if ruleset else campaign.state.ruleset}", own, _verb_row)
    print_section(context, "Verbs of every game", every, _verb_row)
    context.print("", "How one is written in full: rollbook verbs VERB, or rollbook do VERB --help")


def show_now(context: CommandContext, used: Mapping[str, int]) -> None:
    """Print what may be said in the fight that is on: whose turn it is, a few verbs with an example each, and the others."""
    campaign = context.campaign()
    verbs = sayable_now(campaign, used)
    rows = [(Text(example_of(campaign, verb), "bold"), Text(verb_summary(verb), "dim")) for verb in verbs[:FEW]]
    others = verbs[FEW:]
    more = [Text(f"Also now: {', '.join(verb.verb for verb in others)}", "dim")] if others else []
    opened = opening(status_of(campaign.state, campaign.session.rulebook))
    context.print_blocks([*opened, GAP, Rows(rows), GAP, *more])


def _verb_row(verb: type[Action]) -> tuple[Text, Text]:
    usage = Text.assemble((verb.verb, "bold"), usage_line(verb).removeprefix(verb.verb))
    return usage, Text(verb_summary(verb), "dim")
