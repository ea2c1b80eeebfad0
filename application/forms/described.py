"""Texts of a parameter in every form: its label, its help with what it may be, and its default."""

from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed


def label_of(parameter: Parameter) -> str:
    """A parameter's name as a label."""
    words = parameter.name.replace("_", " ")
    return words[:1].upper() + words[1:]


def hint_of(parameter: Parameter, *, is_typed: bool = True) -> str:
    """The help of a parameter, and how several are typed."""
    return f"{parameter.help} (several: with commas between)" if is_typed and parameter.want.is_list else parameter.help


def help_of(parameter: Parameter) -> str:
    """A parameter's hint with its unit, choices, range and default."""
    parts = [hint_of(parameter)]
    if parameter.unit:
        parts.append(f"(in {parameter.unit})")
    if parameter.gm_only:
        parts.append("(for the GM to say)")
    named = [choice for choice in parameter.choices if choice]
    if named:
        parts.append(f"[{', '.join(named)}]")
    if parameter.default is not None and parameter.default != parameter.want.nothing:
        parts.append(f"(default: {typed(parameter.default)})")
    return " ".join(parts)


def needed(parameter: Parameter) -> str:
    """The sentence for a parameter that is left out and must be given."""
    return f"{parameter.name} is needed."


def default_text(parameter: Parameter) -> str:
    """The default of a parameter as it is typed; "" for nothing and for a number that is 0."""
    default = parameter.default
    if default is None or (default == 0 and not isinstance(default, bool)):
        return ""
    return typed(default)
