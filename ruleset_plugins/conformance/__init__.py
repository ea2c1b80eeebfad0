"""The conformance kit: what every ruleset promises, tried out. ``ruleset_plugins.testing`` hands out the suite.

A ruleset is played at random, corrected at random and looked into. Nothing here is imported by a game that is being played;
pytest and hypothesis belong to the extra ``test``.
"""
