"""A roll that cannot be meant comes in by no door; one that is on record stays, and is proven as it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.history.head import Decision, Head
from rollbook.application.lines.verb_line import LineError, read_value
from rollbook.domain.actions.dice import RollDice
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.rules.action import intent_of, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType

UNMEANT = ("4d6kh0", "4d6kh3dl1", "1d6ro=1ro=2", "1d6x>=7")
SAID: dict[str, Callable[[Campaign, str], object]] = {
    "do": lambda campaign, roll: campaign.do("roll", {"expression": roll}),
    "play": lambda campaign, roll: campaign.play(RollDice(expression=roll)),
    "say": lambda campaign, roll: campaign.say(f"roll {roll}"),
    "amend": lambda campaign, roll: campaign.corrections.amend(_rolled(campaign), {"expression": roll}),
}


def _rolled(campaign: Campaign) -> int:
    return campaign.do("roll", {"expression": "1d6"}, dice=(3,)).action


@pytest.mark.parametrize("roll", UNMEANT)
@pytest.mark.parametrize("door", SAID)
def test_no_door_takes_it(campaign: Campaign, door: str, roll: str) -> None:
    with pytest.raises(RollbookError, match=r"Write .*\n.*\n *\^"):
        SAID[door](campaign, roll)
    assert not any("kh0" in str(entry.intent.params) for entry in campaign.history.entries)


@pytest.mark.parametrize("roll", UNMEANT)
def test_every_parameter_of_dice_of_every_verb_refuses_it(campaign: Campaign, roll: str) -> None:
    verbs = campaign.session.rulebook.verbs(campaign.state).values()
    asked = [each for verb in verbs for each in user_parameters(verb) if each.want is ParameterType.DICE]
    assert asked
    for parameter in asked:
        with pytest.raises(LineError, match="Write"):
            read_value(parameter, roll, campaign.state)


def test_an_old_history_with_such_a_roll_loads_and_is_played_again(campaign: Campaign) -> None:
    action = RollDice(expression="4d6kh3dl1", purpose="old")
    with pytest.raises(DiceError):
        campaign.do("roll", intent_of(action).params, dice=(1, 2, 3, 4))
    played = campaign.session.rulebook.play(
        campaign.state, intent_of(action), PhysicalDice((1, 2, 3, 4)), action=action
    )

    def as_it_was(head: Head) -> Decision:
        entry = Entry(EntryKind.TAKEN, head.actions + 1, played.events, intent=intent_of(action), reads=played.reads)
        return Decision(
            (entry._replace(ruleset=head.state.ruleset, version=campaign.session.rulebook.version(head.state)),)
        )

    old = campaign.session.append(as_it_was)[-1].action
    campaign.session.read_again()
    campaign.corrections.undo(old, reason="not yet").apply()
    campaign.corrections.redo(old, reason="now").apply()
    campaign.corrections.amend(old, {"expression": "4d6kh3dl1"}, retype=(4, 3, 2, 1), reason="so").apply()
    assert [str(answer.verdict) for answer in campaign.audit()][2] == "VERIFIED"
    campaign.session.project()
    assert campaign.read_model.line(campaign.id, campaign.head.entry).dice == "4d6kh3dl1[4 3 (2) (1)] ✎ = 7"
