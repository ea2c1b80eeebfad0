"""Fights: rounds and turns, movement, attacks, weapons and armour."""
