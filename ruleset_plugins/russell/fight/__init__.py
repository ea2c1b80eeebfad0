"""Fights: rounds and turns, attacks, armour and weapons, hit points and Wounds, saves and morale."""
