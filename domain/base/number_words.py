"""Numbers of things in words, and lists of them."""

from collections.abc import Iterable


def counted(many: int, what: str, several: str = "") -> str:
    """``1 roll``, ``3 rolls``, ``1,200 entries``; ``several`` is the plural where it takes more than an s."""
    return f"{many:,} {what if many == 1 else several or what + 's'}"


def there_are(names: Iterable[str]) -> str:
    """A sentence that lists names: ``There are: Fireball, Blur.``, ``There is: Blur.``, ``There are none.``."""
    listed = tuple(names)
    return f"There {'is' if len(listed) == 1 else 'are'}: {', '.join(listed)}." if listed else "There are none."
