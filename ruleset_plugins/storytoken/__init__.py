"""storytoken: light d20 rules with story tokens, heritages and roles."""

from __future__ import annotations

from ruleset_plugins import Ruleset
from ruleset_plugins.storytoken.afflictions import Afflict, Escape, PutOut, Relieve
from ruleset_plugins.storytoken.berserk import Rage
from ruleset_plugins.storytoken.casting import Cast
from ruleset_plugins.storytoken.checks import Check, Oppose, Save
from ruleset_plugins.storytoken.choices import Choose
from ruleset_plugins.storytoken.combat import Attack
from ruleset_plugins.storytoken.creation import Join
from ruleset_plugins.storytoken.crossing import CROSSING
from ruleset_plugins.storytoken.death import character_changed
from ruleset_plugins.storytoken.durations import TakeTime
from ruleset_plugins.storytoken.encounters import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from ruleset_plugins.storytoken.expertise import Gadget, Investigate, Manoeuvre
from ruleset_plugins.storytoken.forms import ChangeForm, Manifest, Promise
from ruleset_plugins.storytoken.harm import Harm, Hazard, Heal
from ruleset_plugins.storytoken.inspiring import Inspire
from ruleset_plugins.storytoken.learning import LearnSpell
from ruleset_plugins.storytoken.levels import experience_awarded
from ruleset_plugins.storytoken.moving import Move
from ruleset_plugins.storytoken.passing_time import time_passed
from ruleset_plugins.storytoken.published import BringIn
from ruleset_plugins.storytoken.settings import Settings
from ruleset_plugins.storytoken.sheet import sheet
from ruleset_plugins.storytoken.social import Influence, SetAttitude
from ruleset_plugins.storytoken.spending import Bargain, Complicate, OwnSetback, SpendToken, TemptFate
from ruleset_plugins.storytoken.task_rolls import SECOND_THOUGHTS
from ruleset_plugins.storytoken.tokens import session_opened
from ruleset_plugins.storytoken.turning import TurnUndead

RULESET = Ruleset(
    key="storytoken",
    title="Story Token",
    version="1",
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
)

__all__ = ["RULESET"]
