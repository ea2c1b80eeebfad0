"""Tests with a d20: checks and saving throws, and what makes them easier or harder."""
