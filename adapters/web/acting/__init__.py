"""Acting: verbs as buttons and forms, a line to type, open choices, and the X-card."""
