"""The server: threads with books of their own, bells, kept answers, slow work."""
