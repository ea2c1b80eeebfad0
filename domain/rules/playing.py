"""Playing an action out at a table, from the check of its seat to its last event.

The seat is checked only when an action is taken: actions on record are played again, corrected and audited as they
were.
"""

from __future__ import annotations

import attrs

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action, actor_of, actors_of, parameters
from rollbook.domain.rules.outcome import Outcome
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.sheet_rulings import ADJUST, Adjustment, adjust
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character


@attrs.frozen(kw_only=True)
class Played(Outcome):
    """An action that was played out."""

    action: Action

    @property
    def actor(self) -> CharacterId:
        """The character who acts: the one that an ``actor`` parameter names, or else the first that any parameter names."""
        return actor_of(self.action)


def play_out(table: Table, action: Action) -> Played:
    """Play an action out. Raises Refused (or NotFound) if the rules say no, DiceNeeded if recorded dice do not suffice.

    What the GM has adjusted within the action comes last, so later actions meet it and no seat needs leave for it.
    """
    _check_seat(table, action)
    if table.ruleset is not None and table.ruleset.verb(action.verb) is not None and actors_of(action):
        check_here(table, *actors_of(action), *action.characters_named())
    try:
        for part in action.parts():
            part.resolve(table)
    except NotFound as fault:
        fault.about(table.parameter_of(fault.sought) if fault.sought else "")
        raise
    for thought in table.second_thoughts(ADJUST):
        adjust(table, Adjustment.of(thought))
    done = table.finish()
    return Played(events=done.events, looked=done.looked, campaign=done.campaign, touched=done.touched, action=action)


def _check_seat(table: Table, action: Action) -> None:
    """Raise Refused if the seat may not take this action: the GM's verbs and rulings, and characters of other seats.

    What the GM said in correcting the action stays allowed whenever it is played again.
    """
    seat = table.acting_seat
    if seat is None or seat.role is Role.GM:
        return
    if action.gm_only:
        table.refuse(f"Only the GM can {action.verb}; {table.seat} is a {seat.role}.")
    if seat.role is Role.SPECTATOR and not action.anonymous:
        table.refuse(f"{table.seat} watches, and a spectator takes no actions.")
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if parameter.gm_only and value != parameter.default and parameter.name not in table.ruled:
            table.refuse(
                f"--{parameter.option} is a ruling, so the GM says it; {table.seat} can ask for it.",
                parameter=parameter.name,
            )
        if parameter.actor and parameter.want is ParameterType.CHARACTER and value:
            check_control(table, table.character(value))


def check_here(table: Table, *names: CharacterId) -> None:
    """Raise Refused if one of these characters takes part in a fight that waits in another scene.

    It is asked of who acts by the rules, and of those on whom they act. What the GM does to people without anybody who
    acts, such as harm, reaches them everywhere.
    """
    for name in names:
        if not table.knows(name) or not table.character(name).elsewhere:
            continue
        scene = next((scene for scene in table.elsewhere if scene.has_fighter(name)), None)
        if scene is not None:
            sentence = f"{table.character(name).name} is in the fight in {scene.name}, which waits. "
            table.refuse(f"{sentence}The GM goes on with it: cut-to {name}", table.parameter_of(name))


def check_control(table: Table, who: Character) -> None:
    """Raise Refused if the seat does not act for this character."""
    if who.seat != table.seat:
        owner = f"is played by {who.seat}" if who.seat else "is the GM's"
        table.refuse(f"{who.name} {owner}; {table.seat} cannot act for them.", parameter=table.parameter_of(who.id))


def check_taken_by(campaign: CampaignState, seat: str, action: Action) -> None:
    """Raise Refused if a player's seat takes an action that has no actor and is not for any seat, or by its own check.

    The GM's seat and a table without seats may name any actor. ``play_out`` checks who controls the actor.
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
