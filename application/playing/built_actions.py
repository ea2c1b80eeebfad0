"""Actions of a campaign's own verbs, as scripts give them: by name with parameters, or as values."""

from __future__ import annotations

from collections.abc import Mapping

from rollbook.application.playing.engine_parameters import placeholders
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import ParameterValue
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, build
from rollbook.domain.state.campaign_state import CampaignState

Params = Mapping[str, ParameterValue]


def built(rulebook: Rulebook, state: CampaignState, verb: str, params: Params | None, more: Params) -> Action:
    """An action of the campaign's verb of that name. Raises Refused for what is given twice, and what ``build`` raises."""
    rulebook.require(state)
    twice = next((name for name in more if name in (params or {})), None)
    if twice:
        raise Refused(f"{twice} is given twice, by name and in the parameters of {verb}. Give it once.")
    kind = rulebook.verb(state, verb)
    return build(kind, {**placeholders(kind), **(params or {}), **more})


def check_verb(rulebook: Rulebook, state: CampaignState, action: Action) -> None:
    """Raise Refused unless the action is of a verb that the campaign has now."""
    verb = rulebook.verb(state, action.verb)
    if type(action) is not verb:
        raise Refused(
            f"{type(action).__module__}.{type(action).__qualname__} is not the verb {action.verb!r} of this campaign, "
            f"which is {verb.__module__}.{verb.__qualname__}."
        )
