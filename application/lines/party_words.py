"""Party words: ``all``, ``pcs``, ``foes`` and ``@wolf`` name several characters at once; what is recorded are their ids.

In a fight they are those of it who live, outside one those in play, but for those in a fight elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.letters import caseless
from rollbook.domain.rules.sides import Side, is_players_character, plain_side
from rollbook.domain.state.lookup import ALL, FOES, KIND, PCS, is_party_word, slug

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import CharacterId
    from rollbook.domain.state.campaign_state import CampaignState, Character

SideOf = Callable[["CampaignState", "Character"], Side]
"""Teller of a character's side in a campaign, such as ``Rulebook.side``."""

DEAD = "dead"
"""The condition of characters who come last, or are left out."""

_NUMBER = re.compile(r"[\s-]+\d+$")
NOBODY = {
    ALL: "Nobody is in play, so 'all' is nobody.",
    PCS: "There is no player character in play here, so 'pcs' is nobody.",
    FOES: "There are no foes here, so 'foes' is nobody. Name the characters, or set their side, in a game that knows sides.",
}


def circles(state: CampaignState, known: Sequence[Character]) -> Iterator[list[Character]]:
    """The circles in which a name is looked for: characters in the fight who live, those who are here, then all ``known``."""
    order = state.encounter.order if state.encounter is not None else ()
    yield [who for who in known if who.id in order and not who.has(DEAD)]
    yield [who for who in known if who.is_here]
    yield list(known)


def kind_of(name: str) -> str:
    """The kind that a numbered name is of: ``wolf`` for ``Wolf 3`` and ``wolf-3``."""
    return slug(_NUMBER.sub("", name))


def kinds_of(who: Character) -> frozenset[str]:
    """The kinds that a character is of by name and by id."""
    return frozenset((kind_of(who.name), kind_of(who.id)))


def is_meant(word: str, state: CampaignState, *, known_only: bool) -> bool:
    """True if a word names several characters: a party word that is nobody's id or name, of those whom the table knows."""
    if not is_party_word(word):
        return False
    wanted = caseless(word)
    called = (who for who in state.characters.values() if not (known_only and who.hidden))
    return all(wanted not in (caseless(who.id), caseless(who.name)) for who in called)


def people_meant(
    word: str, state: CampaignState, *, known_only: bool = False, side: SideOf = plain_side
) -> list[CharacterId]:
    """The ids of the characters whom a party word names. ``known_only``: of those whom the table knows. Raises NotFound.

    Hidden characters outside the fight are not among them, unless the word names nobody else.
    """
    known = [who for who in state.characters.values() if not (known_only and who.hidden)]
    first, present, everybody = circles(state, known)
    tried = [first, [who for who in present if not (who.hidden or who.has(DEAD))], present]
    fits = _fitting(word, state, side, known)
    for circle in (*tried, everybody) if word.startswith(KIND) else tried:
        found = [who.id for who in circle if fits(who)]
        if found:
            return found
    raise NotFound(NOBODY[caseless(word)], is_open=known_only, sought=word)


def _fitting(word: str, state: CampaignState, side: SideOf, known: Sequence[Character]) -> Callable[[Character], bool]:
    wanted = caseless(word)
    if wanted == ALL:
        return lambda _: True
    if wanted == PCS:
        return lambda who: is_players_character(state, who)
    if wanted == FOES:
        return lambda who: side(state, who) is Side.FOES
    kind = _kind_called(wanted.removeprefix(KIND), known)
    return lambda who: kind in kinds_of(who)


def _kind_called(begun: str, known: Sequence[Character]) -> str:
    """The kind that a word names or begins. Raises NotFound for none, and for several."""
    kinds = sorted({kind for who in known for kind in kinds_of(who)})
    wanted = slug(begun)
    found = [kind for kind in kinds if kind == wanted] or [kind for kind in kinds if kind.startswith(wanted)]
    if len(found) > 1:
        some = ", ".join(f"{KIND}{kind}" for kind in found)
        raise NotFound(f"{KIND}{begun} may be any of {some}. Type more of it.", tuple(found))
    if not found:
        raise not_found("kind of character", begun, kinds)
    return found[0]


def without_repeats(parts: Sequence[tuple[bool, Sequence[str]]]) -> list[str]:
    """The names of a list, each part said by a party word (True) or one by one: nobody is in it twice by a party word."""
    one_by_one = {name for is_several, names in parts if not is_several for name in names}
    found: list[str] = []
    for is_several, names in parts:
        found += [name for name in names if not is_several or (name not in one_by_one and name not in found)]
    return found
