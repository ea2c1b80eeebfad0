"""The growth of characters: how they are made, rise, use what they have learned, and rest."""
