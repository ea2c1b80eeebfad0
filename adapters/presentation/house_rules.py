"""House rules in sentences: what each decides, and what holds at a table, without the keys that are typed."""

import re

from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed

_RULING = re.compile(r" ?\([QR][\w., ]*\)")
"""The numbers of rulings and rules at the end of what a setting decides."""
YES, NO = "yes", "no"


def question_of(rule: Parameter) -> str:
    """The matter that a house rule decides, as a line of its own: "The least damage of a hit"."""
    words = _RULING.sub("", rule.help).strip()
    return words[:1].upper() + words[1:]


def answers_to(rule: Parameter) -> tuple[tuple[str, str], ...]:
    """The values of a house rule that is chosen, each with what then holds; none where a value is typed."""
    if rule.want is ParameterType.FLAG:
        return ((YES, "Yes, so it is."), (NO, "No."))
    if not rule.means:
        return tuple((choice, choice) for choice in rule.choices)
    return tuple(zip(rule.choices, rule.means, strict=True))


def what_holds(rule: Parameter, value: object) -> str:
    """The state of things at a table where the house rule has this value, as a sentence."""
    text, decided = typed(value) if isinstance(value, (bool, int, str)) else str(value), question_of(rule)
    if rule.want is ParameterType.FLAG:
        return f"{decided}." if text == YES else f"Not here: {decided[:1].lower()}{decided[1:]}."
    if rule.means and text in rule.choices:
        return rule.means[rule.choices.index(text)]
    return f"{re.split('[:;]', decided, maxsplit=1)[0]}: {text}."
