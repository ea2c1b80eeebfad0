"""The page of a seat's tokens, by which programs act from it: making, listing and revoking them."""
