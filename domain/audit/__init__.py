"""Three questions about a history, answered apart: its chain, its dice, its rules.

Is the chain whole, do the dice match their commitments, do the rules give what is recorded?

VERIFIED means proven from what is there; UNPROVEN that nothing contradicts it but something is missing (a seed that was
not revealed, a ruleset of another version); FAILED that something contradicts it. A withheld proof never reads as success.
"""
