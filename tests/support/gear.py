"""Uses of things, as they are typed."""

from __future__ import annotations

from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter

_USE = Parameter(name="use", want=ParameterType.USE, help="what it is taken for")


def typed_use(text: str) -> tuple[str, ...]:
    """The words of ``weapon:light:throwing``."""
    words = _USE.read(text)
    assert isinstance(words, tuple)
    return tuple(map(str, words))
