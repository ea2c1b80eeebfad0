"""Forms: the parameters of a verb as people fill them in, at a prompt, in an interview and on a page."""
