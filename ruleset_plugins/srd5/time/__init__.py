"""Time: rests, travel, light and hazards."""
