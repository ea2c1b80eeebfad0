"""The verbs that every game has: seats and sessions, scenes and notes, rulings, time, experience, sheets, loose dice.

A ruleset may bring its own verb of the same name, which then takes its place (creating a character, say).
"""

from rollbook.domain.actions import (
    adopting,
    campaign,
    characters,
    dice,
    handouts,
    joining,
    notes,
    secrets,
    sessions,
    talk,
    time_and_experience,
    x_card,
)
from rollbook.domain.rules.action import Action

SHARED: tuple[type[Action], ...] = (
    campaign.StartCampaign,
    adopting.Adopt,
    campaign.ChangeHouseRules,
    campaign.SetTimeZone,
    campaign.TakeSeat,
    campaign.RenameSeat,
    campaign.LeaveSeat,
    sessions.OpenSession,
    sessions.AddEntropy,
    sessions.CloseSession,
    sessions.RevealScreen,
    sessions.FrameScene,
    sessions.Meanwhile,
    sessions.CutTo,
    talk.Say,
    talk.Whisper,
    notes.WriteNote,
    handouts.Handout,
    handouts.Portrait,
    handouts.LayMap,
    notes.Redact,
    x_card.RaiseXCard,
    x_card.WithdrawXCard,
    x_card.AnswerXCard,
    notes.MakeRuling,
    characters.Adjust,
    time_and_experience.PassTime,
    time_and_experience.AwardExperience,
    joining.Join,
    characters.Leave,
    characters.Rename,
    characters.Lend,
    secrets.Conceal,
    secrets.Reveal,
    characters.Give,
    characters.Drop,
    characters.ChangeTrait,
    dice.RollDice,
    dice.DrawFor,
    dice.GrantDice,
    dice.Agree,
)
"""The shared verbs, in the order in which help lists them."""

SHARED_VERBS = {action.verb: action for action in SHARED}
