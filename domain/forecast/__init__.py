"""Forecasts: possible outcomes of an action, of any verb of any game, and their exact chances before a die falls."""
