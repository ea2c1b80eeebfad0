"""A campaign as an action sees it: the same values, and what is looked at is noted in ``Reads``.

A value is noted when it is first asked for, and is then at hand like any other. The fold never meets these.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, ClassVar, Protocol, TypeVar, cast, overload

import attrs

from domain.events import CharacterId
from domain.reads import WHOLE, Fields
from domain.state import NOTHING, CampaignState, Character, Encounter

T = TypeVar("T")
V = TypeVar("V")


class WatchedMapping(Mapping[str, V]):
    """A mapping. Each key that is looked up is noted, there or not; to go through, count or compare it is a look at all."""

    __slots__ = ("_keys", "_of")

    def __init__(self, of: Mapping[str, V], keys: set[str]) -> None:
        self._of = of
        self._keys = keys

    def __getitem__(self, key: str) -> V:
        self._keys.add(key)
        return self._of[key]

    def __contains__(self, key: object) -> bool:
        self._keys.add(cast("str", key))
        return key in self._of

    @overload
    def get(self, key: str, /) -> V | None: ...

    @overload
    def get(self, key: str, default: V | T, /) -> V | T: ...

    def get(self, key: str, default: Any = None, /) -> Any:
        self._keys.add(key)
        return self._of.get(key, default)

    def _whole(self) -> Mapping[str, V]:
        self._keys.add(WHOLE)
        return self._of

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def keys(self) -> KeysView[str]:
        return self._whole().keys()

    def values(self) -> ValuesView[V]:
        return self._whole().values()

    def items(self) -> ItemsView[str, V]:
        return self._whole().items()

    def __eq__(self, other: object) -> bool:
        return self._whole() == (other._whole() if isinstance(other, WatchedMapping) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._whole())


_MAPPINGS = frozenset(
    field.name for kind in (Character, Encounter) for field in attrs.fields(kind) if field.default is NOTHING
)
"""The fields that are mappings."""


_NOTED_AS = dict.fromkeys(("id", "name", "kind", "seat", "present", "hidden"), "who")
"""What is noted as who a character is (see ``Character.who``)."""


class _Watched:
    """A value whose fields are noted as they are asked for. Python asks ``__getattr__`` for a slot that is empty."""

    __slots__ = ()
    _of: object
    _fields: Fields

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_":
            raise AttributeError(name)
        value = getattr(self._of, name)
        keys = self._fields.setdefault(_NOTED_AS.get(name, name), set())
        if name in _MAPPINGS:
            value = WatchedMapping(value, keys)
        else:
            keys.add(WHOLE)
        object.__setattr__(self, name, value)
        return value


class WatchedCharacter(_Watched, Character):
    """A character at one moment of an action. That there is one has been looked at."""

    __slots__ = ("_fields", "_of")
    known_by: ClassVar = "who"


class WatchedEncounter(_Watched, Encounter):
    """An encounter at one moment of an action. That there is one has been looked at."""

    __slots__ = ("_fields", "_of")
    known_by: ClassVar = "title"


Seen = TypeVar("Seen", WatchedCharacter, WatchedEncounter)


def watched(kind: type[Seen], of: Character | Encounter, fields: Fields) -> Seen:
    """A character or an encounter whose ``fields`` are noted as they are asked for; from here on nobody changes it."""
    of.seal()
    fields.setdefault(kind.known_by, set()).add(WHOLE)
    seen = kind.__new__(kind)
    object.__setattr__(seen, "_of", of)
    object.__setattr__(seen, "_fields", fields)
    object.__setattr__(seen, "sealed", True)
    return seen


class Watcher(Protocol):
    """Where an action is resolved, as far as its campaign asks for it (see ``domain.table.Table``)."""

    def character(self, name: str) -> Character: ...
    def knows(self, name: str) -> bool: ...
    def names(self) -> tuple[CharacterId, ...]: ...
    def part(self, name: str) -> object: ...


class _People(Mapping[CharacterId, Character]):
    """The characters of a campaign, each watched."""

    __slots__ = ("_table",)

    def __init__(self, table: Watcher) -> None:
        self._table = table

    def __getitem__(self, name: CharacterId) -> Character:
        if not self._table.knows(name):
            raise KeyError(name)
        return self._table.character(name)

    def __iter__(self) -> Iterator[CharacterId]:
        return iter(self._table.names())

    def __len__(self) -> int:
        return len(self._table.names())


class WatchedCampaign(CampaignState):
    """The whole campaign of an action: each part as it is when it is asked for."""

    __slots__ = ("_table",)

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_":
            raise AttributeError(name)
        return _People(self._table) if name == "characters" else self._table.part(name)


def watched_campaign(table: Watcher) -> CampaignState:
    """The campaign of a table. It is not sealed, because the action goes on."""
    seen = WatchedCampaign.__new__(WatchedCampaign)
    for name, value in (("_table", table), ("sealed", False)):
        object.__setattr__(seen, name, value)
    return seen
