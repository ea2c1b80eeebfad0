"""A campaign as an action sees it: the same values, of which reads are noted in ``Reads``.

A value is noted when it is first read, and is a plain attribute from then on. The fold never sees these classes.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast, overload

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.state.campaign_state import CampaignState, Character, by_kind
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.reads import FEW, WHOLE, Looked
from rollbook.domain.state.sealing import NOTHING

T = TypeVar("T")
V = TypeVar("V")


class WatchedMapping(Mapping[str, V]):
    """A mapping. Each key that is looked up is noted, there or not; to go through, count or compare it is a look at all.

    It knows nothing of whose field it is: a circle of references would leave each action to the garbage collector.
    """

    __slots__ = ("_keys", "_of")

    def __init__(self, of: Mapping[str, V], keys: set[str]) -> None:
        self._of = of
        self._keys = keys

    def __getitem__(self, key: str) -> V:
        self._keys.add(key)
        return self._of[key]

    def __contains__(self, key: Any) -> bool:
        self._keys.add(key)
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


class _Field:
    """A field that is noted when it is first asked for. Python finds it in the instance from then on."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, seen: _Watched[Any], owner: object = None) -> Any:
        inside = seen.__dict__
        value = inside[self._name] = getattr(inside["_of"], self._name)
        inside["looked"].whole.add(self._name)
        return value


class _MappingField(_Field):
    """A field that is a mapping, of which each key is noted, unless an entry names all of it already."""

    __slots__ = ()

    def __get__(self, seen: _Watched[Any], owner: object = None) -> Any:
        inside, name = seen.__dict__, self._name
        of, keys = getattr(inside["_of"], name), inside["looked"].keys[name]
        is_known = WHOLE in keys or len(keys) > FEW
        value = inside[name] = MappingProxyType(of) if is_known else WatchedMapping(of, keys)
        return value


class _Watched(Generic[T]):
    """A value whose fields are noted as they are asked for."""

    plain: ClassVar[type[Any]]
    _of: T
    looked: Looked

    def __new__(cls, **fields: Any) -> Any:
        """Make a plain value of fields, such as a copy of which some are changed."""
        return cls.plain(**fields)

    def copy(self) -> Self:
        """A copy that may be changed; all fields count as read, and keys of mappings when they are read later."""
        return cast("Self", attrs.evolve(cast("Any", self), sealed=False))


TRAITS_BY_KIND = "_traits_by_kind"
"""Attribute that caches a character's traits by kind once they were read."""


class WatchedCharacter(_Watched[Character], Character):
    """A character at one moment of an action. Its existence and identity count as read.

    ``looked`` are the reads of it, and ``noted`` those that were added as a whole. ``now`` is the plain character, ``before``
    what it was before the action, and ``unchanged`` either of them, None if the action has changed it.
    """

    noted: set[Looked]
    before: Character | None
    unchanged: Character | None

    plain = Character
    known_by: ClassVar = "who"

    @property
    def now(self) -> Character:
        return self._of

    def has(self, condition: str) -> bool:
        self.looked.keys["conditions"].add(condition)
        return condition in self._of.conditions

    def has_lost(self, amount: int) -> bool:
        """True if so many hit points are lost; the read is noted without what the action itself has changed so far."""
        inside = self.__dict__
        before = amount - inside["_lost_since"]
        if type(before) is int:
            inside["looked"].keys["lost"].add(str(before))
        else:  # a forecast reckons with dice that have not fallen; to name the number would part every way they can fall
            inside["looked"].whole.add("lost")
        lost: int = inside["_of"].lost
        return lost >= amount

    def traits_of(self, kind: str) -> tuple[str, ...]:
        inside = self.__dict__
        if TRAITS_BY_KIND not in inside:
            inside[TRAITS_BY_KIND] = by_kind(self.traits)
        found: tuple[str, ...] = inside[TRAITS_BY_KIND].get(kind, ())
        return found


class WatchedEncounter(_Watched[Encounter], Encounter):
    """An encounter at one moment of an action. Its existence counts as read."""

    plain = Encounter
    known_by: ClassVar = "title"


for _kind in (WatchedCharacter, WatchedEncounter):
    setattr(_kind, "sealed", True)  # noqa: B010 - a slot of the class that it comes from
    for _field in attrs.fields(_kind):
        if _field.name != "sealed":
            setattr(_kind, _field.name, (_MappingField if _field.default is NOTHING else _Field)(_field.name))


def watched_character(who: Character, looked: Looked, before: Character | None) -> WatchedCharacter:
    """A character whose reads are noted in ``looked``, all but who it is; it does not change from here on.

    ``before`` is the same character before the action, if there was one.
    """
    if not who.sealed:
        who.seal()
    looked.whole.add(WatchedCharacter.known_by)
    seen = object.__new__(WatchedCharacter)
    inside = seen.__dict__
    inside["_of"], inside["looked"] = who, looked
    inside["_lost_since"] = 0 if before is None else who.lost - before.lost
    inside["before"], inside["unchanged"], inside["noted"] = before, who if who is before else None, set()
    inside["id"], inside["name"], inside["kind"] = who.id, who.name, who.kind
    inside["seat"], inside["present"], inside["hidden"] = who.seat, who.present, who.hidden
    inside["elsewhere"] = who.elsewhere
    return seen


def watched_encounter(encounter: Encounter, looked: Looked) -> WatchedEncounter:
    """An encounter whose reads are noted in ``looked``; it does not change from here on."""
    encounter.seal()
    looked.whole.add(WatchedEncounter.known_by)
    seen = object.__new__(WatchedEncounter)
    seen.__dict__.update(_of=encounter, looked=looked)
    return seen


class Watcher(Protocol):
    """The table of an action, as far as its campaign needs it (see ``rollbook.domain.rules.table.Table``)."""

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
