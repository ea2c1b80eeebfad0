"""The story: tokens, what they buy, and winning people over."""
