"""Finding a character or a thing by a typed name, and naming them apart where several share a name."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import compress
from operator import eq, is_not
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.letters import caseless, composed, id_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rollbook.domain.base.identifiers import CharacterId, SeatName
    from rollbook.domain.state.campaign_state import CampaignState, Character


def slug(name: str) -> str:
    """A name as rules spell it: lower case, words of letters and digits joined by hyphens (``Robin Hood`` → ``robin-hood``).

    Newcomers get an id that loses nothing (``rollbook.domain.base.letters.id_of``); before that it was this one.
    """
    kept = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return "-".join(kept.split())


def seat_of(state: CampaignState, said: str) -> SeatName:
    """The seat of who has or had that name, as people and programs write it; "" if there is none."""
    if said in state.seats:
        return said
    name = composed(said)
    known = (seat.name for seat in state.seats.values() if name and name in (composed(seat.name), seat.called))
    return next(known, "")


ALL, PCS, FOES, KIND = "all", "pcs", "foes", "@"
"""Words that name several characters, and the sign before a kind of them (``@wolf``)."""


def is_party_word(word: str) -> bool:
    """True for a word that names several characters, unless one of them is called so."""
    return word.startswith(KIND) or caseless(word) in (ALL, PCS, FOES)


def one_only(word: str) -> str:
    """The sentence on a party word where one character may stand."""
    return f"{word!r} names several characters, and here only one can be meant. Name one."


UNSEEN = "hidden-"
"""Beginning of the id of a newcomer whom the table does not know."""


class Somebody(Protocol):
    """A character who can be found by name."""

    @property
    def id(self) -> CharacterId: ...
    @property
    def name(self) -> str: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def present(self) -> bool: ...


def find_character(state: CampaignState, name: str, *, known_only: bool = False) -> CharacterId:
    """The id of a character of a campaign, see ``find_among``."""
    return find_among(state.characters, name, known_only=known_only)


def find_among(known: Mapping[CharacterId, Somebody], name: str, *, known_only: bool = False) -> CharacterId:
    """The id of a character by id, name or an unambiguous beginning; ``known_only``: of those whom the table knows.

    Of two with the same name, the one that the table knows is meant. Raises NotFound.
    """
    wanted = caseless(name)
    for id_ in dict.fromkeys((name, wanted)):
        if (meant := known.get(id_)) is not None and not (known_only and meant.hidden):
            return id_
    people = {who.id: who for who in known.values() if not (known_only and who.hidden)}
    exact = [who for who in people.values() if wanted in _called(who)]
    open_ones = [who for who in exact if not who.hidden] or exact
    if len(open_ones) == 1:
        return open_ones[0].id
    if f"{UNSEEN}{wanted}" in people:
        return f"{UNSEEN}{wanted}"
    near = [who.id for who in people.values() if who.id.startswith(wanted) or caseless(who.name).startswith(wanted)]
    if len(near) == 1:
        return near[0]
    if near:
        message = f"{name!r} may be any of {', '.join(near)}. Type more of the name."
        raise NotFound(message, tuple(near), is_open=known_only)
    if is_party_word(name):
        raise NotFound(one_only(name), is_open=True, sought=name)
    missing = not_found("character", name, people)
    raise NotFound(str(missing), missing.near, is_open=known_only)


def _called(who: Somebody) -> tuple[str, ...]:
    """The names and ids of a character, as they are compared; an older id has lost some letters of the name."""
    return caseless(who.id), caseless(who.name), id_of(who.name), slug(who.name)


def changed_people(
    was: Mapping[CharacterId, Character], now: Mapping[CharacterId, Character]
) -> list[Character] | None:
    """The characters who are not the same object as before; None if somebody came, went or may be called otherwise.

    Made without a look at each of them, because very few of the many in a long campaign change at a time.
    """
    if len(was) != len(now) or not all(map(eq, was, now)):
        return None
    changed = list(compress(now.values(), map(is_not, was.values(), now.values())))
    if any(_called_by(was[who.id]) != _called_by(who) for who in changed):
        return None
    return changed


def _called_by(who: Character) -> tuple[str, bool, bool]:
    return who.name, who.hidden, who.present


def shown_names(people: Iterable[Character]) -> Mapping[CharacterId, str]:
    """The shown names of some people, by id: the name, and where another of them has it too, the name with the id.

    A hidden character makes no difference to the names of others.
    """
    return _shown_names(tuple([(who.id, who.name, who.hidden) for who in people]))


@lru_cache(maxsize=8)
def _shown_names(people: tuple[tuple[CharacterId, str, bool], ...]) -> Mapping[CharacterId, str]:
    """The same of people by id and name; every action asks, and seldom is anybody called otherwise than before."""
    names = Counter(caseless(name) for _, name, _ in people)
    known = Counter(caseless(name) for _, name, hidden in people if not hidden)
    return MappingProxyType(
        {
            id_: f"{name} ({id_})" if (names if hidden else known)[caseless(name)] > 1 else name
            for id_, name, hidden in people
        }
    )


def shown_name(who: Character, everybody: Iterable[Character]) -> str:
    """The shown name of one of them, as in ``shown_names``."""
    name = caseless(who.name)
    others = (other for other in everybody if other.id != who.id and (who.hidden or not other.hidden))
    return with_id(who) if any(caseless(other.name) == name for other in others) else who.name


def with_id(who: Character) -> str:
    """A name with the id that tells it from others."""
    return f"{who.name} ({who.id})"


def gear_called(who: Character, name: str) -> str:
    """The stored name of a character's thing, given in any case of letters; the name itself if there is none."""
    held = who.gear.get(name)
    if held is not None and held.count > 0:
        return name
    folded = caseless(name)
    for item, held in who.gear.items():
        if caseless(item) == folded and held.count > 0:
            return item
    return name
