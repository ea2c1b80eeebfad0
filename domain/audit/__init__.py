"""Three questions about a history, answered apart: its chain, its dice, its rules.

Is the chain whole, do the dice match their commitments, do the rules give what is recorded?

VERIFIED means proven from what is there; UNPROVEN that nothing contradicts it but something is missing (a seed that was
not revealed, a ruleset of another version); FAILED that something contradicts it. A withheld proof never reads as success.
"""

from domain.audit.answers import Answer, Finding, Verdict
from domain.audit.chain_audit import UNRECORDED, ChainCheck, Read, Removals, audit_chain, check_entry, check_lines
from domain.audit.dice_audit import audit_dice, dice_list
from domain.audit.dice_requests import Listed
from domain.audit.rules_audit import audit_rules

__all__ = [
    "UNRECORDED",
    "Answer",
    "ChainCheck",
    "Finding",
    "Listed",
    "Read",
    "Removals",
    "Verdict",
    "audit_chain",
    "audit_dice",
    "audit_rules",
    "check_entry",
    "check_lines",
    "dice_list",
]
