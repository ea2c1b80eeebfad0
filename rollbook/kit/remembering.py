"""Consequences of what a character is, worked out once for as long as the character stays as it is.

The table shows a character by one object until something changes it (``Table.character``), and notes what an action reads
of it. A result is kept beside what was read for it, so an action that is given the result has read the same.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from rollbook.domain.state.reads import Looked
from rollbook.domain.state.tracked_state import WatchedCharacter, watched_character
from rollbook.plugin import Character

__all__ = ["is_remembered", "remembered"]

_Found = TypeVar("_Found")
_More = ParamSpec("_More")

MOST = 512
"""Characters of which results are kept beyond an action."""

_Results: TypeAlias = dict[object, tuple[Any, Looked]]

_kept: dict[int, tuple[Character, _Results]] = {}
_alike: dict[tuple[str, ...], Looked] = {}
"""The sets of reads by what they are: one that was noted already needs no second look."""


def remembered(
    work_out: Callable[Concatenate[Character, _More], _Found],
) -> Callable[Concatenate[Character, _More], _Found]:
    """Keep what a function works out of a character and of hashable arguments (a decorator).

    The function reads nothing else, and its result holds neither the character nor anything that is read later. Of a
    character who may still change nothing is kept.
    """
    if len(signature(work_out).parameters) == 1:
        of_who = _of_who(cast("Callable[..., Any]", work_out))
        _of_who_alone.add(of_who)
        return cast("Callable[Concatenate[Character, _More], _Found]", of_who)

    @wraps(work_out)
    def ask(who: Character, /, *args: _More.args, **named: _More.kwargs) -> _Found:
        inside: dict[object, Any] | None = getattr(who, "__dict__", None)
        key = (work_out, args, *named.items())
        if inside is None:
            return _of_plain(who, key, work_out, args, named)  # type: ignore[no-any-return]
        if key not in inside:
            inside[key] = _found(who, key, work_out, args, named)  # type: ignore[arg-type]
        found: _Found = inside[key]
        return found

    return ask


def is_remembered(ask: Callable[..., Any]) -> bool:
    """True for a ``remembered`` function of a character alone."""
    return ask in _of_who_alone


_of_who_alone: set[Callable[..., Any]] = set()


def _of_who(work_out: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a function of the character alone, which is asked most often."""

    @wraps(work_out)
    def ask(who: Any) -> Any:
        inside = getattr(who, "__dict__", None)
        if inside is None:
            return _of_plain(who, work_out, work_out, (), {})
        if work_out not in inside:
            inside[work_out] = _found(who, work_out, work_out, (), {})
        return inside[work_out]

    return ask


def _found(
    who: WatchedCharacter, key: object, work_out: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """The result for a character in an action, whose reads are noted as if it were worked out now."""
    plain = who.unchanged
    if plain is None:
        return work_out(who, *args, **named)
    found, own = _known(plain, key, work_out, args, named)
    if own not in who.noted:
        who.noted.add(own)
        who.looked.add(own)
    return found


def _of_plain(
    who: Character, key: object, work_out: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """The result for a character outside an action."""
    return _known(who, key, work_out, args, named)[0] if who.sealed else work_out(who, *args, **named)


def _known(
    plain: Character, key: object, work_out: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Looked]:
    """The result for a character who stays as it is, and what is read for it."""
    of, results = _kept.get(id(plain), (None, {}))
    if of is not plain:
        if len(_kept) >= MOST:
            _kept.clear()
            _alike.clear()
        results = {}
        _kept[id(plain)] = plain, results
    known = results.get(key)
    if known is None:
        own = Looked()
        found = work_out(watched_character(plain, own, plain), *args, **named)
        known = results[key] = found, _alike.setdefault(tuple(own.names()), own)
    return known
