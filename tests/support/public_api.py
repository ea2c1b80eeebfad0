"""The public names with members and parameters, as text: ``python -m tests.support.public_api`` writes tests/public_api.txt.

Each module has a heading. A function is shown with its parameters: ``*`` before those that only go by name, ``=`` after those
with a default. A class is shown with what it is made of and, one a line, with its methods, properties and attributes.
"""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import attrs

from rollbook.domain.rules.action import Action, _make

LIST = Path(__file__).parents[1] / "public_api.txt"
PACKAGE = "rollbook"
TESTING = ("rollbook.testing.scenarios", "rollbook.testing.conformance.suite")
"""Modules that a plug-in's tests import."""
EVENTS = "rollbook.domain.events"
"""The module that authors know as ``rollbook.plugin.events``."""


def modules() -> tuple[str, ...]:
    """The public modules."""
    kit = import_module("rollbook.kit")
    pieces = (f"rollbook.kit.{found.name}" for found in pkgutil.iter_modules(kit.__path__))
    return (PACKAGE, "rollbook.plugin", *sorted(pieces), *TESTING)


def listing() -> str:
    """All of it as text."""
    known: dict[int, str] = {}
    return "\n".join(line for name in modules() for line in ("", name, *_of_module(name, known))).lstrip("\n") + "\n"


def _of_module(name: str, known: dict[int, str]) -> Iterator[str]:
    module = import_module(name)
    for public in sorted(module.__all__, key=str.casefold):
        value = getattr(module, public)
        called = f"{name}.{public}"
        if isinstance(value, type) and known.setdefault(id(value), called) != called:
            yield f"  {public}: {known[id(value)]}"
        else:
            yield from _of_value(public, value)


def _of_value(name: str, value: object) -> Iterator[str]:
    if isinstance(value, ModuleType):
        yield f"  {name}: {value.__name__}"
        yield from (f"    {each}{_signature(cls)}" for each, cls in _classes_of(value))
    elif isinstance(value, type):
        yield f"  class {name}{_signature(value)}"
        yield from (f"    {line}" for line in _members(value))
    elif callable(value) and get_origin(value) is None:  # an alias of a type is no function, though it can be called
        yield f"  {name}{_signature(value)}"
    else:
        yield f"  {name}"


def _classes_of(module: ModuleType) -> list[tuple[str, type]]:
    found = ((name, value) for name, value in vars(module).items() if isinstance(value, type))
    return sorted((name, cls) for name, cls in found if cls.__module__ == module.__name__ and not name.startswith("_"))


def _members(cls: type) -> Iterator[str]:
    """The members that rollbook gives a class, its own or a base's, by name."""
    found = {name: static for base in reversed(cls.__mro__) if _is_ours(base) for name, static in vars(base).items()}
    for base in cls.__mro__:
        if _is_ours(base):
            found = dict.fromkeys(inspect.get_annotations(base)) | found
    for name in sorted(found, key=str.casefold):
        if not name.startswith("_"):
            yield f".{name}{_of_member(found[name])}"


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == PACKAGE


def _of_member(static: object) -> str:
    function: Any = static.__func__ if isinstance(static, classmethod | staticmethod) else static
    return _signature(function, is_member=not isinstance(static, staticmethod)) if inspect.isfunction(function) else ""


def _parameters(function: Any) -> Iterator[inspect.Parameter]:
    """The parameters; those of an attrs class by its fields, as a verb's constructor is made when it is first called."""
    if inspect.isclass(function) and issubclass(function, Action):
        _make(function)
    if not attrs.has(function):
        yield from inspect.signature(function).parameters.values()
        return
    for field in filter(attrgetter("init"), attrs.fields(function)):
        kind = inspect.Parameter.KEYWORD_ONLY if field.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = inspect.Parameter.empty if field.default is attrs.NOTHING else field.default
        yield inspect.Parameter(str(field.alias), kind, default=default)


def _has_own_parameters(cls: Any) -> bool:
    takes_none = (cls.__init__, cls.__new__) == (object.__init__, object.__new__)
    return takes_none or inspect.isfunction(cls.__init__) or inspect.isfunction(cls.__new__)


def _signature(function: Any, *, is_member: bool = False) -> str:
    """The parameters by name, without types and values. Those of Python's own differ from one to the next: left out."""
    if inspect.isclass(function) and issubclass(function, Enum):
        return ""
    if inspect.isclass(function) and not attrs.has(function) and not _has_own_parameters(function):
        return "(…)"
    shown, by_name = [], False
    for each in list(_parameters(function))[int(is_member) :]:
        if each.kind is each.KEYWORD_ONLY and not by_name and "*" not in "".join(shown):
            shown.append("*")
        by_name = by_name or each.kind is each.KEYWORD_ONLY
        stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        shown.append(f"{stars}{each.name}{'' if each.default is each.empty else '='}")
    return f"({', '.join(shown)})"


if __name__ == "__main__":
    LIST.write_text(listing(), encoding="utf-8")
    sys.stdout.write(f"{LIST} is written. git diff shows what changed.\n")
