"""Workers, threads with a book each for a share of the campaigns, and slow jobs."""
