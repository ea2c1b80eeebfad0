"""Each command, by the question or the correction that it is."""
