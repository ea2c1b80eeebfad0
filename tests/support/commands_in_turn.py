"""Carries out commands in turn, each between marks: ``python -m tests.support.commands_in_turn "log" "sheet robin"``."""

import shlex
import sys

from rollbook.adapters.cli import main

if __name__ == "__main__":
    for words in sys.argv[1:]:
        sys.stdout.write(f"<< {words}\n")
        sys.stdout.flush()
        code = main(shlex.split(words))
        sys.stdout.write(f">> {int(code)}\n")
        sys.stdout.flush()
