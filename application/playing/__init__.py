"""An action from its parameters to its events: seat, dice, parameters that the engine fills in."""
