"""Guards of the server: checks that every request passes before its page is looked up."""
