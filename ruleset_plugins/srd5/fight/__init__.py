"""A fight: turns, attacks, damage, conditions and dying."""
