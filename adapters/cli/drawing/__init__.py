"""What a terminal alone has: columns that fit it, frames, the board never wider than it."""
