"""Editions: a campaign as one reader may see it, to be handed on or to be followed while it is played.

Hidden entries are not in an edition, and no number skips in their place: entries, actions and revisions are counted
among those that are in it, as they are in a player's file. So two campaigns that differ only in their secrets have
equal editions.
"""
