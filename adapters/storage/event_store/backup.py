"""Copying a campaign file while it is in use."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from adapters.storage.event_store.failures import BUSY, DAMAGED, FAILURES, result_code, sentence
from adapters.storage.event_store.recorder import CampaignRecorder
from domain.errors import RollbookError

SOURCE_AT_FAULT = (*BUSY, *DAMAGED)


def copy_whole(recorder: CampaignRecorder, target: Path) -> None:
    """Copy everything to the new file ``target``, which appears only when it is complete and on disk."""
    if target.exists():
        raise RollbookError(f"{target} already exists; no backup was made. Choose another name.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with recorder.datastore.get_connection(commit=False) as source, closing(sqlite3.connect(unfinished)) as copy:
            copy.execute("PRAGMA synchronous=FULL")
            source.cursor().sqlite_cursor.connection.backup(copy)
        unfinished.rename(target)
    except FAILURES as failure:
        unfinished.unlink(missing_ok=True)
        if result_code(failure) in SOURCE_AT_FAULT:
            raise
        raise sentence(target, failure, "no backup was made") from failure
