"""Words for people that the command line and the web share."""
