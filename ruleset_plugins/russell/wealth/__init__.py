"""Wealth and the time between delves: treasure, hirelings, downtime, and things that change hands."""
