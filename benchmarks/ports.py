"""Ports of this computer for servers that a measurement or a test starts."""

from __future__ import annotations

import random
import socket

BELOW_CONNECTIONS = range(15_000, 32_000)
"""Ports that Linux, as it is set by default, gives to no connection: what is free now stays so until a server has it."""


def free_port() -> int:
    """A free port of this computer."""
    while True:
        port = random.SystemRandom().choice(BELOW_CONNECTIONS)
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
