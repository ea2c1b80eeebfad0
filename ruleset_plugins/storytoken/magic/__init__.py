"""Magic: spells, casting, and turning the undead."""
