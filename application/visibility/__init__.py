"""A campaign as a seat may see it: entries, questions, previews, editions. ``domain.history.secrecy`` rules what may be seen."""
