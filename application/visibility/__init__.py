"""A campaign as a seat may see it, by ``domain.history.secrecy``: entries, questions, previews, editions."""
