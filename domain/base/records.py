"""Bases of attrs value classes: methods written once, copies made field by field, and mappings that cannot be changed.

Such mappings are the parameters of intents, and the settings and numbers of events. In every other respect they are
dicts: equal to a plain one with the same items, shown and encoded in the same way. The method ``copy`` and the operator
``|`` make plain dicts.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, TypeVar, cast

import attrs

T = TypeVar("T")

_NAMES: dict[type[object], tuple[str, ...]] = {}
_VALUES: dict[type[object], Callable[[object], tuple[object, ...]]] = {}


def field_names(cls: type[Any]) -> tuple[str, ...]:
    """The names of the fields of an attrs class."""
    if cls not in _NAMES:
        _NAMES[cls] = tuple(field.name for field in attrs.fields(cls))
    return _NAMES[cls]


def field_values(instance: object) -> tuple[Any, ...]:
    """The values of all fields of an instance, in order."""
    cls = instance.__class__
    if cls not in _VALUES:
        _VALUES[cls] = _values_of(field_names(cls))
    return _VALUES[cls](instance)


def _values_of(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    if len(names) > 1:
        return cast("Callable[[object], tuple[object, ...]]", attrgetter(*names))
    return lambda instance: tuple(getattr(instance, name) for name in names)


_COMPARED: dict[type[object], Callable[[object], tuple[object, ...]]] = {}


def _compared(cls: type[Any]) -> Callable[[object], tuple[object, ...]]:
    """A function that gives the values of the fields by which instances of a class are compared."""
    if cls not in _COMPARED:
        _COMPARED[cls] = _values_of(tuple(field.name for field in attrs.fields(cls) if field.eq))
    return _COMPARED[cls]


class Record:
    """A base of attrs classes: equal are those of one class with equal fields.

    attrs leaves out a method that a class has itself, so it compiles nothing but a constructor for each of some three hundred
    classes: what it would compile otherwise is most of the time in which a command starts.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("__eq__", "__hash__", "__repr__"):
            if name not in vars(cls):
                setattr(cls, name, getattr(cls, name))

    def __eq__(self, other: object) -> bool:
        cls = self.__class__
        if other.__class__ is not cls:
            return NotImplemented
        compared = _compared(cls)
        return compared(self) == compared(other)

    def __hash__(self) -> int:
        return hash((self.__class__, _compared(self.__class__)(self)))

    def __repr__(self) -> str:
        shown = (field.name for field in attrs.fields(cast("type[Any]", self.__class__)) if field.repr)
        values = (f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__.rpartition('>.')[2]}({', '.join(values)})"


class Changeable(Record):
    """A base of attrs classes whose instances change: they are compared in the same way, and have no hash."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]


def _open(cls: type[Any]) -> type[Any]:
    """A class of the same shape in which nothing minds that a field is set: an instance is filled as one of it."""
    plain = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(cls.__name__, (cls,), plain)


def _compiled(name: str, given: str, lines: list[str], known: dict[str, object]) -> Callable[..., Any]:
    """A function of these lines, in which only names of fields differ, as attrs makes its constructors."""
    exec("\n ".join((f"def {name}({given}):", *lines)), known)  # noqa: S102 - the names of fields and nothing else
    return cast("Callable[..., Any]", known[name])


def quickly_made(cls: type[T]) -> type[T]:
    """A frozen attrs class with slots whose instances cost a quarter to make: for those of which an action makes several.

    attrs sets each field of a frozen instance by a call. It is for classes of plain fields: without factories, converters,
    validators and anything that is done after them. What comes from such a class is made as ever.
    """
    fields = attrs.fields(cast("Any", cls))
    usual = {f"usual_{each.name}": each.default for each in fields if each.default is not attrs.NOTHING}
    given = [f"{each.name}=usual_{each.name}" if f"usual_{each.name}" in usual else each.name for each in fields]
    star = ["*"] if all(each.kw_only for each in fields) else []
    as_attrs = vars(cls)["__init__"]
    known = {**usual, "cls": cls, "opened": _open(cls), "set_class": object.__setattr__, "as_attrs": as_attrs}
    lines = [
        f"if type(self) is not cls: return as_attrs(self, {', '.join(f'{each.name}={each.name}' for each in fields)})",
        "set_class(self, '__class__', opened)",
        *[f"self.{each.name} = {each.name}" for each in fields],
        "self.__class__ = cls",
    ]
    made = _compiled("__init__", ", ".join(("self", *star, *given)), lines, known)
    made.__annotations__ = as_attrs.__annotations__
    setattr(cls, "__init__", made)  # noqa: B010 - an assignment would say that it is another method
    return cls


_COPIERS: dict[type[object], Callable[[Any], Any]] = {}


def copied(instance: T) -> T:
    """A copy of an instance of a class with slots: ``attrs.evolve`` at a tenth of its price."""
    cls = instance.__class__
    if cls not in _COPIERS:
        lines = ["copy = make(opened)", *[f"copy.{name} = instance.{name}" for name in field_names(cls)]]
        known = {"make": object.__new__, "opened": _open(cls), "cls": cls}
        _COPIERS[cls] = _compiled("copied", "instance", [*lines, "copy.__class__ = cls", "return copy"], known)
    copy: T = _COPIERS[cls](instance)
    return copy


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
    """A base of frozen classes with one mapping, the field that ``_held`` names, which is made read-only.

    attrs and msgspec both let a class do that when it has its fields.
    """

    __slots__ = ()
    _held: ClassVar[str] = "data"

    def __attrs_post_init__(self) -> None:
        mapping = getattr(self, self._held)
        if mapping.__class__ is not ReadOnly:
            object.__setattr__(self, self._held, ReadOnly(mapping))
