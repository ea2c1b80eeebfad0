"""The door: who may take an action that is about to be taken.

It is asked nowhere else, so what is on record is played again, corrected and audited as it was taken.
"""

from rollbook.domain.base.errors import Refused
from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action, actors_of, parameters
from rollbook.domain.rules.parameters import ParameterType
from rollbook.domain.state.campaign_state import CampaignState


def check_taken_by(campaign: CampaignState, seat: str, action: Action) -> None:
    """Raise Refused if a player's seat takes an action in which nobody acts, and which is not any seat's; or for its own reason.

    The GM's seat and a table without seats say who acts as they like. Whose the actor is, the table asks (``Table.check_seat``).
    """
    sitting = campaign.seats.get(seat)
    role = Role.GM if sitting is None else sitting.role
    is_free = role is Role.GM or action.gm_only or action.anonymous or action.by_any_seat
    if not is_free and not actors_of(action):
        raise Refused(_nobody_acts(seat, action))
    action.check_taken(campaign, role)


def _nobody_acts(seat: str, action: Action) -> str:
    asked = (each for each in parameters(type(action)) if each.actor and each.want is ParameterType.CHARACTER)
    named = next((f"--{each.option}" for each in asked), "")
    if not named:
        return f"Nobody acts in {action.verb}, so only the GM can take it; {seat} can ask for it."
    return f"{seat} says who acts in {action.verb}: {named}. Without anybody only the GM can take it."
