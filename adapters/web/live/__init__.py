"""Live updates of pages: listeners, bells, cached answers, editions that are being made."""
