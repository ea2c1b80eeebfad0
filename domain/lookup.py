"""Finding a character by what a person calls it."""

from domain.errors import NotFound, not_found
from domain.state import CampaignState


def find_character(state: CampaignState, name: str) -> str:
    """The id of a character by id, name or an unambiguous beginning of either. Raises NotFound."""
    wanted = name.casefold()
    if wanted in state.characters:
        return wanted
    exact = [who.id for who in state.characters.values() if who.name.casefold() == wanted]
    if len(exact) == 1:
        return exact[0]
    near = [
        who.id
        for who in state.characters.values()
        if who.id.startswith(wanted) or who.name.casefold().startswith(wanted)
    ]
    if len(near) == 1:
        return near[0]
    if near:
        raise NotFound(f"{name!r} may be any of {', '.join(near)}. Type more of the name.", tuple(near))
    raise not_found("character", name, state.characters)
