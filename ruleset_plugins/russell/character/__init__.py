"""Characters: attributes or a stat line, levels, templates and skills, and their creation."""
