"""Keeps pages up to date: who listens, bells, cached answers, editions that are being made."""
