"""Newcomers: the questions about a character, the sheet before it comes in, and characters that players ask for."""
