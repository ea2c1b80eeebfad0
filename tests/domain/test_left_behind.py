"""An action at the table leaves nothing behind that only the garbage collector would find."""

from __future__ import annotations

import gc

import pytest

from tests.support.looks import LOOKS, table


@pytest.mark.parametrize("what", LOOKS)
def test_a_look_leaves_nothing_that_only_the_garbage_collector_would_find(what: str) -> None:
    """Whole campaigns are played again in one go: what each action left would take time and lie in memory."""
    look, _ = LOOKS[what]
    for _ in range(3):  # finalizers of what others left may free more
        gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        at = table()
        look(at)
        at.finish()
        del at
        gc.collect()
        left = [type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("rollbook.")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert not left
