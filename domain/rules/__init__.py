"""What a ruleset is, and where an action is played out."""
