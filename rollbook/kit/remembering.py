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

_MISSING: Any = object()

_kept: dict[int, tuple[Character, _Results]] = {}
_OF_NOBODY: tuple[None, _Results] = (None, {})
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
        found: _Found = inside.get(key, _MISSING)
        if found is _MISSING:
            found = inside[key] = _found(who, key, work_out, args, named)  # type: ignore[arg-type]
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
        known = _still_known(who, key)
        if known is None:
            return work_out(who, *args, **named)
    else:
        known = _kept_of(plain).get(key) or _known(plain, key, work_out, args, named)
    found, own = known
    if own not in who.noted:
        who.noted.add(own)
        who.looked.add(own)
    return found


def _still_known(who: WatchedCharacter, key: object) -> tuple[Any, Looked] | None:
    """The result for a character that the action has changed, as far as it is known and nothing that was read for it changed."""
    before, now = who.before, who.now
    known = _kept_of(before).get(key)
    if before is None or known is None:
        return None
    read = {*known[1].whole, *known[1].keys} - {WatchedCharacter.known_by}
    is_same = before.who == now.who and all(getattr(before, field) is getattr(now, field) for field in read)
    return known if is_same else None


def _of_plain(
    who: Character, key: object, work_out: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """The result for a character outside an action."""
    return _known(who, key, work_out, args, named)[0] if who.sealed else work_out(who, *args, **named)


def _kept_of(plain: Character | None) -> _Results:
    """The results that are kept of a character who stays as it is."""
    of, results = _kept.get(id(plain), _OF_NOBODY)
    return results if of is plain else {}


def _known(
    plain: Character, key: object, work_out: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Looked]:
    """The result for a character who stays as it is, and what is read for it; it is kept from now on."""
    known = _kept_of(plain).get(key)
    if known is None:
        own = Looked()
        found = work_out(watched_character(plain, own, plain), *args, **named)
        known = found, _alike.setdefault(tuple(own.names()), own)
        _keep(plain, key, known)
    return known


def _keep(plain: Character, key: object, known: tuple[Any, Looked]) -> None:
    if id(plain) not in _kept or _kept[id(plain)][0] is not plain:
        if len(_kept) >= MOST:
            _kept.clear()
            _alike.clear()
        _kept[id(plain)] = plain, {}
    _kept[id(plain)][1][key] = known
