"""Finding a character or a thing by what a person calls it, and what it is called where several have one name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from domain.errors import NotFound, not_found

if TYPE_CHECKING:
    from collections.abc import Iterable

    from domain.state import CampaignState, Character


def slug(name: str) -> str:
    """The id that a name is typed by: lower case, words joined by hyphens (``Robin Hood`` → ``robin-hood``)."""
    kept = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return "-".join(kept.split())


UNSEEN = "hidden-"
"""How the id of a newcomer begins whom the table does not know."""


def find_character(state: CampaignState, name: str, *, known_only: bool = False) -> str:
    """The id of a character by id, name or an unambiguous beginning of either, with ``known_only`` of those whom the table knows.

    Of two who have one name the one that the table knows is meant. Raises NotFound.
    """
    people = {who.id: who for who in state.characters.values() if not (known_only and who.hidden)}
    wanted = name.casefold()
    if wanted in people:
        return wanted
    exact = [who for who in people.values() if wanted in (who.name.casefold(), slug(who.name))]
    known = [who for who in exact if not who.hidden] or exact
    if len(known) == 1:
        return known[0].id
    if f"{UNSEEN}{wanted}" in people:
        return f"{UNSEEN}{wanted}"
    near = [who.id for who in people.values() if who.id.startswith(wanted) or who.name.casefold().startswith(wanted)]
    if len(near) == 1:
        return near[0]
    if near:
        message = f"{name!r} may be any of {', '.join(near)}. Type more of the name."
        raise NotFound(message, tuple(near), is_open=known_only)
    missing = not_found("character", name, people)
    raise NotFound(str(missing), missing.near, is_open=known_only)


def shown_names(people: Iterable[Character]) -> dict[str, str]:
    """What each of some people is called, by id: the name, and where another of them has it too, the name with the id.

    Who is hidden makes no difference to how others are called.
    """
    everybody = tuple(people)
    names = Counter(who.name.casefold() for who in everybody)
    known = Counter(who.name.casefold() for who in everybody if not who.hidden)
    return {
        who.id: with_id(who) if (names if who.hidden else known)[who.name.casefold()] > 1 else who.name
        for who in everybody
    }


def shown_name(who: Character, everybody: Iterable[Character]) -> str:
    """What one of them is called, as in ``shown_names``."""
    name = who.name.casefold()
    others = (other for other in everybody if other.id != who.id and (who.hidden or not other.hidden))
    return with_id(who) if any(other.name.casefold() == name for other in others) else who.name


def with_id(who: Character) -> str:
    """A name with the id that tells it from others."""
    return f"{who.name} ({who.id})"


def gear_called(who: Character, name: str) -> str:
    """What a thing of somebody's is called that was named in any case of letters; the name itself if there is none."""
    if name in who.gear and who.gear[name].count > 0:
        return name
    folded = name.casefold()
    return next((item for item, held in who.gear.items() if held.count > 0 and item.casefold() == folded), name)
