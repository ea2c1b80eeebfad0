"""Open choices: a template, the primary class, what a natural 20 does and what a fumble brings (R3.50, R3.78, R3.79)."""

from collections.abc import Mapping

from rollbook.kit import open_choices, stat_entry
from rollbook.kit.verbs import choose_verb
from rollbook.plugin import Action, Character, Table, events, param, slug
from rollbook.rulesets.russell.character import templates
from rollbook.rulesets.russell.fight import criticals, wounds

Choose = choose_verb(
    {
        criticals.CRITICAL: criticals.settle_critical,
        criticals.MISFORTUNE: criticals.settle_misfortune,
        templates.TEMPLATE: lambda table, who, _, picked: templates.gain_template(table, who.id, picked),
    },
    reads={templates.TEMPLATE: templates.template_picked},
    help="Make an open choice: a template, the primary class in a tie, what a natural 20 does, what a fumble brings.",
    typed_dice=(wounds.WOUNDING, wounds.STUNNING),
)


class OwnTemplate(Action, verb="own-template", gm_only=True):
    """Fill an open choice of a template with one of the table's own: the next of its class, A to D (R3.50, Q3.47)."""

    sentence = "writes the template {name} for {who}"

    who: str = param.character("who takes it")
    name: str = param.label("the class, for example ranger")
    effects: Mapping[str, int] = param.amounts(
        "what it changes, as hp=2,ss=1: " + ", ".join(templates.EFFECTS), default={}, of="effect"
    )
    primary: Mapping[str, int] = param.amounts(
        "what its Primary Ability changes, given once for a class", default={}, of="effect"
    )

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        offered = open_choices.first_of(who, templates.TEMPLATE)
        if not offered:
            table.refuse(f"{who.name} has no open choice of a template: one comes with each of levels 1 to 4.")
        key = slug(self.name)
        if not key or key in templates.CLASSES:
            table.refuse(f"{self.name!r} is taken. Give the table's own class another name.", parameter="name")
        template = templates.next_template(who, key)
        if not template:
            table.refuse(f"{who.name} has all of {templates.LETTERS[0]} to {templates.LETTERS[-1]} of {key}.")
        effects, primary = (
            stat_entry.checked_stats(table, typed, tuple(templates.EFFECTS)) for typed in (self.effects, self.primary)
        )
        if self.primary:
            self._gain_primary(table, who, key, {templates.CLASS: key, **primary})
        table.record(events.ChoiceMade(character=who.id, choice=offered, picked=template))
        templates.gain_template(table, who.id, template, {templates.CLASS: key, **effects})

    def _gain_primary(self, table: Table, who: Character, key: str, data: events.Data) -> None:
        known = templates.primary_of(who, key)
        if known is not None:
            table.refuse(
                f"{key} has a Primary Ability already: {known[1].words}. Leave --primary out.", parameter="primary"
            )
        table.record(
            events.TraitGained(character=who.id, trait=f"{key} {templates.PRIMARY}", kind=templates.PRIMARY, data=data)
        )
