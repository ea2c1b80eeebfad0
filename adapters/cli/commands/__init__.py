"""The commands, a module for each group; none imports another."""
