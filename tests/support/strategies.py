"""Hypothesis strategies for events and histories."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from functools import cache
from typing import Any

import attrs
from hypothesis import strategies as st

from rollbook.domain.events import Event, vocabulary

NAMES = st.sampled_from(("robin", "marian", "guard", "", "*", "@*", "ümlaut"))
TEXTS = st.one_of(NAMES, st.text(st.characters(exclude_categories=("Cs",)), max_size=12), st.just("s1.0|roll|x|y|#3"))
NUMBERS = st.one_of(st.integers(-3, 9), st.integers(-(2**40), 2**40))
SCALARS = st.one_of(st.booleans(), NUMBERS, TEXTS, st.lists(TEXTS, max_size=2).map(tuple))
ROWS = st.lists(st.one_of(st.booleans(), NUMBERS), max_size=3).map(tuple)
VALUES = st.one_of(
    SCALARS,
    *(st.lists(each, max_size=2).map(tuple) for each in (NUMBERS, ROWS)),
    st.dictionaries(TEXTS, SCALARS, max_size=3),
)


@cache
def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    plain = {str: TEXTS, int: NUMBERS, bool: st.booleans()}
    if kind in plain:
        return plain[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return st.lists(of_type(inner[0]), max_size=3).map(tuple)
    if origin is collections.abc.Mapping:
        return st.dictionaries(of_type(inner[0]), of_type(inner[1]), max_size=3)
    if origin in (types.UnionType, typing.Union):
        if types.NoneType in inner:
            return st.none() | of_type(inner[0])
        return VALUES if collections.abc.Mapping in map(typing.get_origin, inner) else SCALARS
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return st.sampled_from(kind)
    return any_of(kind)


@cache
def any_of(cls: Any) -> st.SearchStrategy[Any]:
    """Any instance of a class of events, or of what stands in them."""
    hints = typing.get_type_hints(cls)
    if attrs.has(cls):
        return st.fixed_dictionaries({f.name: of_type(hints[f.name]) for f in attrs.fields(cls)}).map(
            lambda given: cls(**given)
        )
    return st.fixed_dictionaries({name: of_type(kind) for name, kind in hints.items()}).map(lambda given: cls(**given))


EVENTS: st.SearchStrategy[Event] = st.one_of(*(any_of(cls) for cls in vocabulary()))
HISTORIES = st.lists(EVENTS, max_size=25)
