"""What lies behind a sentence, for who writes a plug-in: a failure with its traceback, on the loggers of ``rollbook``.

The sentence is what people get. The failure is logged at the level DEBUG, which nobody sees without ``rollbook --debug`` or a
handler of their own on ``logging.getLogger("rollbook")``.
"""

from __future__ import annotations


def note_failure(place: str, said: str, fault: BaseException) -> None:
    """Log a failure that is turned into a sentence, or passed over. ``place`` is the logger below ``rollbook``."""
    import logging  # noqa: PLC0415 - a command in which nothing fails needs none

    logging.getLogger(f"rollbook.{place}").debug("%s", said, exc_info=fault)
