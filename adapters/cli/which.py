"""Which actions are meant, by a filter typed as words; days and hours are those of this computer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from adapters.cli.desk import Desk
from domain.errors import NotFound
from projections.filters import Condition, read


def filter_of(words: Sequence[str]) -> Condition:
    """The filter. Raises BadFilter with a caret under the fault."""
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None
    return read(" ".join(words), zone=zone)


def actions_that(desk: Desk, words: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the actions that count, can be taken back and fit a filter. Raises BadFilter, and NotFound if none does."""
    campaign = desk.campaign()
    desk.project()
    lines = desk.book().read_model.log(campaign.id, where=filter_of(words))
    final = {name for name, action in campaign.rulebook.verbs(campaign.state).items() if action.final}
    found = tuple(line.action for line in lines if line.status == "counts" and line.verb not in final)
    if not found:
        raise NotFound(f"No action that counts fits: {' '.join(words)}")
    return found
