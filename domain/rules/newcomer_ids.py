"""The id of a newcomer is settled when the action is taken, and no correction of a name changes it.

Intents that were recorded before that hold no id: theirs is in what the action came to.
"""

from collections.abc import Iterable, Mapping

from rollbook.domain.base.letters import composed
from rollbook.domain.events import CharacterJoined, Event, ParameterValue

ID, NAME, COUNT = "id", "name", "count"


def with_kept_id(params: Mapping[str, ParameterValue], outcome: Iterable[Event]) -> Mapping[str, ParameterValue]:
    """The parameters of who came in, with the id that the outcome gave; as they are where they name one or nobody came.

    Of several who came in together it is what their ids have in common before the number.
    """
    came = next((event.character for event in outcome if isinstance(event, CharacterJoined)), "")
    if not came or params.get(ID):
        return params
    several = params.get(COUNT, 1) != 1
    return {**params, ID: came.rpartition("-")[0] if several else came}


def amended_newcomer(
    had: Mapping[str, ParameterValue], changes: Mapping[str, ParameterValue], outcome: Iterable[Event]
) -> Mapping[str, ParameterValue]:
    """The parameters of who came in with ``changes``: the id stays unless it is changed itself, and a new name is composed."""
    said = {key: value for key, value in changes.items() if value or key != ID}
    if isinstance(name := said.get(NAME), str):
        said[NAME] = composed(name)
    return {**with_kept_id(had, outcome), **said}
