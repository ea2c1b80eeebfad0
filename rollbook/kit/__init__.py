"""Shared pieces of rulesets: import a module and use it with its name, as in ``d20.notation(...)``."""
