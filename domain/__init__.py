"""The campaign model: events, state, history, dice, and the contract of rulesets. No files, no clock, no chance."""
