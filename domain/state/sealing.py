"""Sealing of state: a value may be changed by the draft that copied it, until it is published."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

import attrs

from rollbook.domain.base.records import Changeable, copied

NOTHING: Mapping[str, Any] = MappingProxyType({})


def while_unsealed(instance: Any, _: attrs.Attribute[Any], value: Any) -> Any:
    """The value of a field that is set, as long as the instance is not sealed. Raises FrozenInstanceError."""
    if instance.sealed:
        raise attrs.exceptions.FrozenInstanceError
    return value


class Sealable(Changeable):
    """A base of values that a draft may copy and change until it publishes them."""

    __slots__ = ()
    sealed: bool

    def copy(self) -> Self:
        copy = copied(self)
        object.__setattr__(copy, "sealed", False)
        return copy

    def seal(self) -> None:
        """Mark this object as unchangeable from here on."""
        object.__setattr__(self, "sealed", True)
