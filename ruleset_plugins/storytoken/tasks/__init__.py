"""Task rolls: checks, opposed checks and saving throws."""
