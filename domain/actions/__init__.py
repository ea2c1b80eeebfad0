"""The verbs that every game has: seats and sessions, scenes and notes, rulings, time, experience, sheets, loose dice.

A ruleset may bring its own verb of the same name, which then takes its place (creating a character, say).
"""

from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.actions.campaign import (
    ChangeHouseRules,
    LeaveSeat,
    RenameSeat,
    SetTimeZone,
    StartCampaign,
    TakeSeat,
)
from rollbook.domain.actions.characters import Adjust, ChangeTrait, Drop, Give, Leave, Lend, Rename
from rollbook.domain.actions.dice import Agree, DrawFor, GrantDice, RollDice
from rollbook.domain.actions.joining import Join, JoinAction, enter
from rollbook.domain.actions.progress import AwardExperience, PassTime
from rollbook.domain.actions.scenes import (
    AnswerXCard,
    Conceal,
    FrameScene,
    MakeRuling,
    RaiseXCard,
    Redact,
    Reveal,
    WriteNote,
)
from rollbook.domain.actions.sessions import AddEntropy, CloseSession, OpenSession, RevealScreen
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.adjustments import changed
from rollbook.domain.state.lookup import slug

__all__ = [
    "SHARED",
    "AddEntropy",
    "Adjust",
    "Adopt",
    "Agree",
    "AnswerXCard",
    "AwardExperience",
    "ChangeHouseRules",
    "ChangeTrait",
    "CloseSession",
    "Conceal",
    "DrawFor",
    "Drop",
    "FrameScene",
    "Give",
    "GrantDice",
    "Join",
    "JoinAction",
    "Leave",
    "LeaveSeat",
    "Lend",
    "MakeRuling",
    "OpenSession",
    "PassTime",
    "RaiseXCard",
    "Redact",
    "Rename",
    "RenameSeat",
    "Reveal",
    "RevealScreen",
    "RollDice",
    "SetTimeZone",
    "StartCampaign",
    "TakeSeat",
    "WriteNote",
    "changed",
    "enter",
    "slug",
]

SHARED: tuple[type[Action], ...] = (
    StartCampaign,
    Adopt,
    ChangeHouseRules,
    SetTimeZone,
    TakeSeat,
    RenameSeat,
    LeaveSeat,
    OpenSession,
    AddEntropy,
    CloseSession,
    RevealScreen,
    FrameScene,
    WriteNote,
    Redact,
    RaiseXCard,
    AnswerXCard,
    MakeRuling,
    Adjust,
    PassTime,
    AwardExperience,
    Join,
    Leave,
    Rename,
    Lend,
    Conceal,
    Reveal,
    Give,
    Drop,
    ChangeTrait,
    RollDice,
    DrawFor,
    GrantDice,
    Agree,
)
"""The shared verbs, in the order in which help lists them."""
