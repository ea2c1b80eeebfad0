"""storytoken: light d20 rules with story tokens, heritages and roles."""

from __future__ import annotations

from ruleset_plugins import Ruleset
from ruleset_plugins.storytoken.body.afflictions import Afflict, Escape, PutOut, Relieve
from ruleset_plugins.storytoken.body.durations import TakeTime
from ruleset_plugins.storytoken.body.harm import Harm, Hazard, Heal
from ruleset_plugins.storytoken.body.hit_points import character_changed
from ruleset_plugins.storytoken.body.time_passing import time_passed
from ruleset_plugins.storytoken.character.choices import Choose
from ruleset_plugins.storytoken.character.creation import BringIn, Join
from ruleset_plugins.storytoken.character.heritage_powers import ChangeForm, Manifest, Promise
from ruleset_plugins.storytoken.character.levels import experience_awarded
from ruleset_plugins.storytoken.character.role_powers import Gadget, Inspire, Investigate, Manoeuvre, Rage
from ruleset_plugins.storytoken.crossing import CROSSING
from ruleset_plugins.storytoken.fight.attack import Attack
from ruleset_plugins.storytoken.fight.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from ruleset_plugins.storytoken.fight.movement import Move
from ruleset_plugins.storytoken.magic.casting import Cast
from ruleset_plugins.storytoken.magic.spells import LearnSpell
from ruleset_plugins.storytoken.magic.turning import TurnUndead
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.sheet import sheet
from ruleset_plugins.storytoken.story.social import Influence, SetAttitude
from ruleset_plugins.storytoken.story.spending import Bargain, Complicate, OwnSetback, SpendToken, TemptFate
from ruleset_plugins.storytoken.story.tokens import session_opened
from ruleset_plugins.storytoken.tasks.checks import Check, Oppose
from ruleset_plugins.storytoken.tasks.saves import Save
from ruleset_plugins.storytoken.tasks.task_rolls import SECOND_THOUGHTS

__all__ = ["RULESET"]


RULESET = Ruleset(
    key="storytoken",
    title="Story Token",
    version="2",
    summary="Light d20 rules: six abilities, 25 levels, heritages and roles, and tokens that bend the story.",
    actions=(
        BringIn,
        Join,
        Check,
        Save,
        Oppose,
        Attack,
        Hazard,
        Harm,
        Heal,
        Afflict,
        Relieve,
        Escape,
        PutOut,
        BeginEncounter,
        JoinEncounter,
        Move,
        EndTurn,
        EndEncounter,
        TakeTime,
        SpendToken,
        TemptFate,
        OwnSetback,
        Bargain,
        Complicate,
        Influence,
        SetAttitude,
        Inspire,
        Investigate,
        Gadget,
        Rage,
        Manoeuvre,
        TurnUndead,
        ChangeForm,
        Manifest,
        Promise,
        LearnSpell,
        Cast,
        Choose,
    ),
    sheet=sheet,
    settings=Settings,
    second_thoughts=SECOND_THOUGHTS,
    session_opened=session_opened,
    time_passed=time_passed,
    experience_awarded=experience_awarded,
    character_changed=character_changed,
    crossing=CROSSING,
    round_seconds=lambda table: house(table).round_seconds,
    overview=("hp", "ac", "xp", "tokens", "Status", "Conditions"),
)
