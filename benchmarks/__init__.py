"""Costs of rollbook, against the raw parts it is made of. Run ``python -m benchmarks``."""
