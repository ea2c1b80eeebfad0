"""Who somebody is: attributes or a stat line, levels, templates and skills, and how characters are made."""
