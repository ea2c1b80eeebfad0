"""Threads with books of their own: a worker for each share of the campaigns, and slow jobs."""
