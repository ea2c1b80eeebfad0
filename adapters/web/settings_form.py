"""House rules as fields of a form: for a new campaign, and for going over to another ruleset."""

from collections.abc import Mapping

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rules.parameters import ParameterType
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from rollbook.domain.rules.spelling import typed

SETTING = "setting."
"""What the names of these fields begin with."""

_YES_OR_NO = ("yes", "no")


@attrs.frozen(kw_only=True)
class SettingField(Record):
    """A house rule as a field: what was sent, or its usual value. ``choices`` are all that it may be, () if they are many."""

    name: str
    label: str
    help: str
    value: str
    usual: str
    choices: tuple[str, ...]
    is_number: bool


def setting_fields(game: Ruleset, sent: Mapping[str, object]) -> tuple[SettingField, ...]:
    """The house rules of a game as fields, with what was sent of them."""
    return tuple(
        SettingField(
            name=SETTING + rule.name,
            label=rule.name.replace("_", " "),
            help=rule.help,
            value=str(sent.get(SETTING + rule.name, typed("" if rule.default is None else rule.default))),
            usual=typed("" if rule.default is None else rule.default),
            choices=_YES_OR_NO if rule.want is ParameterType.FLAG else rule.choices,
            is_number=rule.want is ParameterType.NUMBER,
        )
        for rule in settings_fields(game)
    )


def chosen(sent: Mapping[str, object]) -> dict[str, str]:
    """The house rules that were sent, as they were typed."""
    return {name.removeprefix(SETTING): str(sent[name]) for name in sent if name.startswith(SETTING)}
