"""The parts of a character, and how one comes into the campaign."""
