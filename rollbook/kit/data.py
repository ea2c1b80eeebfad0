"""Data files beside the rules: JSON rows read into classes; a bad one is refused by file, row and field."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

import attrs
import msgspec

from rollbook.domain.base.describing import DESCRIBING
from rollbook.plugin import Record, RulesetBroken

__all__ = ["Frozen", "Kinds", "Row", "at", "by_key", "changed", "load", "structure", "text"]

_Row = TypeVar("_Row")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(attrs.field,))
class Frozen(Record):
    """Every class that comes from it is made a frozen attrs class, without a decorator."""

    if TYPE_CHECKING:
        __attrs_attrs__: ClassVar[tuple[attrs.Attribute[Any], ...]]

    def __init_subclass__(cls, *, is_base: bool = False) -> None:
        super().__init_subclass__()
        if not is_base:
            attrs.frozen(cls, kw_only=True, slots=False)


class Kinds(Frozen, is_base=True):
    """A value of one of several kinds, which its field ``kind`` names: ``class Effect(data.Kinds)``, whose subclasses say theirs.

    ``class Bonus(Effect, kind="bonus")`` is then read where the data have ``{"kind": "bonus", …}``.
    """

    KINDS: ClassVar[dict[str, Any]]
    kind: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "") -> None:
        super().__init_subclass__(is_base=not kind)
        if kind:
            cls.kind = kind
            cls.KINDS[kind] = cls
        else:
            cls.KINDS = {}


class Row(Frozen):
    """A row of a table of game data, by its ``key``: ``class Spell(data.Row)``."""

    key: str


_Keyed = TypeVar("_Keyed", bound=Row)


def by_key(package: str, file: str, row: type[_Keyed]) -> dict[str, _Keyed]:
    """The rows of a data file by their keys; see ``load``."""
    return {each.key: each for each in load(package, file, row)}


def load(package: str, file: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows of ``data/FILE`` of the nearest package at or above ``package`` that has it; ``package`` is ``__package__``.

    Raises RulesetBroken with the file, the row and the field that is wrong.
    """
    return parse(file, text(package, file), row)


def text(package: str, file: str) -> str:
    """The text of ``data/FILE`` as ``load`` finds it. Raises RulesetBroken if there is none."""
    while package:
        with suppress(FileNotFoundError):
            found = get_data(package, f"data/{file}")
            return (found or b"").decode()
        package = package.rpartition(".")[0]
    raise RulesetBroken(f"There is no data file {file}.")


def parse(file: str, written: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows in the text of a data file, each as a ``row``; see ``load``."""
    try:
        raw = json.loads(written)
    except ValueError as fault:
        raise RulesetBroken(f"{file} is not JSON: {fault}.") from None
    if not isinstance(raw, list):
        raise RulesetBroken(f"{file} is not a list of rows.")
    rows = tuple(structure(f"{file}, row {number}", entry, row) for number, entry in enumerate(raw, 1))
    keys = [key for each in rows if (key := getattr(each, "key", None)) is not None]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise RulesetBroken(f"{file} has the key {', '.join(sorted(twice))} more than once.")
    return rows


def structure(place: str, entry: object, row: type[_Row]) -> _Row:
    """An object of plain values as a ``row``: its validators are run, its converters are not.

    Raises RulesetBroken with the ``place`` and the field that is wrong.
    """
    try:
        with DESCRIBING:
            found = msgspec.convert(entry, row, dec_hook=_of_kind)
    except msgspec.ValidationError as fault:
        said, _, field = str(fault).partition(" - at `$.")
        where = f" in the field {field.removesuffix('`')}" if field else ""
        raise RulesetBroken(f"{place}: {said}{where}.") from None
    unknown = ", ".join(_unknown_fields(entry, found))
    if unknown:
        raise RulesetBroken(f"{place}: there is no field {unknown}.")
    return found


def _of_kind(base: Any, value: Any) -> Any:
    """A value of the class that its ``kind`` names."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind not in base.KINDS:
        raise ValueError(f"there is no kind {kind!r} of {base.__name__}")
    with DESCRIBING:
        return msgspec.convert(value, base.KINDS[kind], dec_hook=_of_kind)


def _unknown_fields(raw: object, found: object) -> Iterator[str]:
    """The fields of a value that the class it became does not have, and those of the values in it."""
    if isinstance(raw, dict) and not attrs.has(type(found)):
        for name, value in raw.items():
            yield from _unknown_fields(value, cast("Mapping[str, object]", found)[name])
    elif isinstance(raw, dict):
        for name, value in raw.items():
            if not hasattr(found, name):
                yield name
            elif isinstance(value, dict | list):
                yield from _unknown_fields(value, getattr(found, name))
    elif isinstance(raw, list):
        for value, made in zip(raw, cast("Iterable[object]", found), strict=True):
            yield from _unknown_fields(value, made)


def at(value: object, path: str) -> Any:
    """The part of a value to which a path leads, ``1/fail/0``: places and fields with slashes between; None for none."""
    for step in path.split("/"):
        try:
            value = value[int(step)] if step.isdecimal() else getattr(value, step)  # type: ignore[index]
        except (AttributeError, IndexError, TypeError):
            return None
    return value


_Part = TypeVar("_Part", bound=Frozen)


def changed(
    part: _Part, change: Callable[[Frozen], Mapping[str, Any]], keeps: Callable[[Frozen], bool] = lambda _: True
) -> _Part:
    """A value with the changes that a function says, as are all values inside it; those that it ``keeps`` not are left out."""
    changes = dict(change(part))
    for field, value in vars(part).items():
        if isinstance(value, tuple) and value and isinstance(value[0], Frozen):
            changes[field] = tuple(changed(each, change, keeps) for each in value if keeps(each))
    return attrs.evolve(part, **changes) if changes else part  # type: ignore[misc]
