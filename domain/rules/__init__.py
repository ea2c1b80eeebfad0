"""The contract of rulesets, and the table at which an action is played out."""
