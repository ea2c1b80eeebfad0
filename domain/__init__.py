"""What a campaign is: events, state, history, dice, and what a ruleset is. No files, no clock, no chance."""
