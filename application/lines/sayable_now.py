"""The verbs of a fight that may be said now: by the one who has the turn, and by the GM about all."""

from collections.abc import Mapping

from rollbook.application.lines.short_forms.first_word import CUT_TO, END_TURN, FIRST, ONLY_IN_A_FIGHT
from rollbook.application.verbs import CONDITION_VERBS, verbs_of
from rollbook.application.view import CampaignView
from rollbook.domain.rules.action import Action, actors_in, is_the_gms

GMS = ("harm", "heal", *CONDITION_VERBS, "join-encounter", "end-encounter")
"""The GM's verbs that every fight needs."""
USUAL = (*FIRST, "cast", "move", "save", END_TURN, *GMS)
"""The order of verbs that were used equally often."""


def sayable_now(campaign: CampaignView, used: Mapping[str, int], *, seat: str = "") -> tuple[type[Action], ...]:
    """The verbs that the rules do not refuse at once in the fight that is on, the most ``used`` first."""
    state = campaign.state
    encounter = state.encounter
    current = encounter.current if encounter is not None else ""
    refusals = campaign.session.rulebook.available(state, current, seat=seat) if current in state.characters else {}
    is_gm = state.is_gm(seat)
    known = verbs_of(campaign)
    own = {name for name, refusal in refusals.items() if not refusal and actors_in(known[name])}
    also = {name for name in (END_TURN, *GMS) if name in known and (is_gm or not is_the_gms(known[name]))}
    also |= {CUT_TO} if is_gm and state.elsewhere else set()
    names = own | also | ({name for name in ONLY_IN_A_FIGHT if not refusals.get(name, "no")})
    order = {name: place for place, name in enumerate(USUAL)}
    return tuple(
        known[name] for name in sorted(names, key=lambda name: (-used.get(name, 0), order.get(name, len(order)), name))
    )
