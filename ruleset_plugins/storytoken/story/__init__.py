"""The story: tokens, their benefits, and winning people over."""
