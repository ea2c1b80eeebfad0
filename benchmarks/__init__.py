"""What rollbook costs, against the raw parts it is made of. Run ``python -m benchmarks``."""
