"""Pictures from outside, decoded and encoded again before anything is kept of them."""
