"""Timelines that leave a campaign at an entry, are played on, compared with canon, and never copied into it."""
