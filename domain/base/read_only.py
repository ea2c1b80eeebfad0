"""Mappings that cannot be changed: the parameters of intents, the settings and numbers of events.

In every other respect they are dicts: equal to a plain one with the same items, shown and encoded in the same way. The method
``copy`` and the operator ``|`` make plain dicts, which can be changed.
"""

from __future__ import annotations

from typing import ClassVar, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("an entry of a history cannot be changed; make a copy with dict(...)")


class ReadOnly(dict[K, V]):
    """A dict that refuses to be changed."""

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[ReadOnly[K, V]], tuple[dict[K, V]]]:
        return (ReadOnly, (dict(self),))


class HoldsMapping:
    """A base of frozen classes with one mapping, their field of the name ``held``, which is made read-only.

    attrs and msgspec both let a class do that when it has its fields.
    """

    __slots__ = ()
    held: ClassVar[str] = "data"

    def __attrs_post_init__(self) -> None:
        mapping = getattr(self, self.held)
        if mapping.__class__ is not ReadOnly:
            object.__setattr__(self, self.held, ReadOnly(mapping))
