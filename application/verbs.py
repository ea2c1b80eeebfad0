"""The verbs that a person can use in a campaign, with summaries of them and of their parameters."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from weakref import WeakKeyDictionary

from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.synonyms import is_state, meant_by, states_meant
from rollbook.domain.dice.steps import said
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.spelling import CONDITION
from rollbook.domain.state.campaign_state import Character

ENGINE_VERBS = ("start-campaign", "draw-for", "redact", "withdraw-x-card")
"""Verbs that the engine takes itself, never a person."""
CONDITION_VERBS = ("condition", "afflict")
"""The verbs by which a condition begins; a game has one of them at most."""
VERBS_WITH_COMMANDS = {"start-campaign": "rollbook new NAME", "redact": "rollbook redact N --why TEXT"}
"""The commands that do what some of them do."""


_TYPED: WeakKeyDictionary[Rulebook, dict[str, Mapping[str, type[Action]]]] = WeakKeyDictionary()
"""The verbs of each game that a person can type, by its key."""


def verbs_of(campaign: CampaignView) -> Mapping[str, type[Action]]:
    """The verbs that a person can type, the ruleset's own first."""
    rulebook, game = campaign.session.rulebook, campaign.state.ruleset
    typed = _TYPED.setdefault(rulebook, {})
    if game not in typed:
        known = rulebook.verbs(campaign.state)
        typed[game] = MappingProxyType({name: verb for name, verb in known.items() if name not in ENGINE_VERBS})
    return typed[game]


def verb_of(campaign: CampaignView, name: str) -> type[Action]:
    """One of them. Raises NotFound with the nearest, RulesetMissing if the campaign's plug-in is gone."""
    known = verbs_of(campaign)
    if name not in known:
        campaign.session.rulebook.require(campaign.state)
        if name in VERBS_WITH_COMMANDS:
            raise NotFound(f"{name} is a command of its own: {VERBS_WITH_COMMANDS[name]}")
        raise no_such_verb(campaign, name, known)
    return known[name]


def no_such_verb(campaign: CampaignView, name: str, known: Iterable[str]) -> NotFound:
    """The error for a word that is no verb: with the nearest of the ``known`` by sense or letters, or as a condition."""
    verbs, nearest = verbs_of(campaign), not_found("verb", name, known)
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    conditions = ruleset.vocabulary[CONDITION].known if ruleset and CONDITION in ruleset.vocabulary else ()
    meant = states_meant(name, conditions)
    verb = next((verb for verb in CONDITION_VERBS if verb in verbs), "")
    if not verb or not (meant or is_state(name)) or meant_by(name, verbs):
        return nearest
    choices = next((each.choices for each in parameters(verbs[verb]) if each.name == CONDITION), ())
    meant = tuple(each for each in meant if not choices or each in choices)
    how = f"It is a condition: {verb} WHO {meant[0]}" if meant else f"Conditions begin with: {verb} WHO CONDITION"
    return NotFound(f"There is no verb called {name!r}. {how}", (verb,), sought=name)


def verb_summary(action: type[Action]) -> str:
    """The summary of a verb, in a few words: its first sentence, as far as the first colon, semicolon or bracket."""
    return _first_words(action.__doc__ or "")


@cache
def _first_words(text: str) -> str:
    first = text.strip().split("\n")[0]
    return re.split(r"[:;(]|\.(?:\s|$)", first, maxsplit=1)[0].strip()


def own_and_shared(campaign: CampaignView) -> tuple[list[type[Action]], list[type[Action]]]:
    """The verbs of the campaign's ruleset, and those that every game has."""
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    own = [verb.verb for verb in ruleset.actions] if ruleset else []
    known = verbs_of(campaign)
    return [known[name] for name in own], [verb for name, verb in known.items() if name not in own]


def dice_order(action: type[Action], people: Collection[Character] | None = None) -> str:
    """The order in which real dice are typed for the verb (QG.5), "" if it rolls none.

    Only rolls that may befall these ``people``; None: anybody.
    """
    return said(action.typed_dice, people)
