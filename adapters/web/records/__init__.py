"""The record of a seat: what a player keeps, checks and takes along."""
