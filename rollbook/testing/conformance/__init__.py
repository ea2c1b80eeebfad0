"""The conformance suite: what every ruleset promises, tested by random play and random corrections."""
