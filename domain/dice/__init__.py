"""Dice: what people type, how it is rolled, what is recorded, the stream that proves it, and exact odds."""
