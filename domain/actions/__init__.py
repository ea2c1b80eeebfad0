"""The verbs that every game has: seats and sessions, scenes and notes, rulings, time, experience, sheets, loose dice.

A ruleset may bring its own verb of the same name, which then takes its place (creating a character, say).
"""

from __future__ import annotations

from domain.actions.adopting import Adopt
from domain.actions.characters import Adjust, ChangeTrait, Drop, Give, Join, Leave, Lend, enter, slug
from domain.actions.loose_dice import DrawFor, Roll
from domain.actions.progress import AwardExperience, PassTime
from domain.actions.scenes import AnswerXCard, FrameScene, MakeRuling, RaiseXCard, WriteNote
from domain.actions.seats import LeaveSeat, StartCampaign, TakeSeat
from domain.actions.sessions import AddEntropy, CloseSession, OpenSession, RevealScreen
from domain.adjusting import changed
from domain.verbs import Action

__all__ = [
    "SHARED",
    "AddEntropy",
    "Adjust",
    "Adopt",
    "AnswerXCard",
    "AwardExperience",
    "ChangeTrait",
    "CloseSession",
    "DrawFor",
    "Drop",
    "FrameScene",
    "Give",
    "Join",
    "Leave",
    "LeaveSeat",
    "Lend",
    "MakeRuling",
    "OpenSession",
    "PassTime",
    "RaiseXCard",
    "RevealScreen",
    "Roll",
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
    TakeSeat,
    LeaveSeat,
    OpenSession,
    AddEntropy,
    CloseSession,
    RevealScreen,
    FrameScene,
    WriteNote,
    RaiseXCard,
    AnswerXCard,
    MakeRuling,
    Adjust,
    PassTime,
    AwardExperience,
    Join,
    Leave,
    Lend,
    Give,
    Drop,
    ChangeTrait,
    Roll,
    DrawFor,
)
"""The shared verbs, in the order in which help lists them."""
