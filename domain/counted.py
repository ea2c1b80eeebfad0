"""Numbers of things in words."""


def counted(many: int, what: str, several: str = "") -> str:
    """``1 roll``, ``3 rolls``, ``1,200 entries``; ``several`` is the plural where it takes more than an s."""
    return f"{many:,} {what if many == 1 else several or what + 's'}"
