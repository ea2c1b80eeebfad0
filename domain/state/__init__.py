"""The state of a campaign, and the fold that makes it out of events."""
