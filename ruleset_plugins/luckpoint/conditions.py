"""The conditions of this game and what they forbid (R1.8, R1.21, R1.46)."""

from rollbook.kit import conditions

CRITICAL = "critical"
"""At 0 hit points or fewer: no task actions, a crawl and a whisper (R1.46)."""

BUSY = "busy"
"""The condition of those whose task takes some rounds of a fight (R1.8)."""

REACTED = "out of reactions"
"""The condition of those who have used their reaction; it ends with their next turn (Q1.26)."""

NO_ACTIONS = {CRITICAL: "{name} can crawl a metre a round, whisper and make saving throws. Healing brings {name} back."}
BUSY_TOO = NO_ACTIONS | {BUSY: "{name}'s task goes on for some rounds. To give it up, the GM rules: --out-of-turn"}

KEPT_OUT = (conditions.DEAD, conditions.ARRIVING)
"""Conditions that keep a character out of a round; those with critical wounds may still crawl (R1.46)."""
