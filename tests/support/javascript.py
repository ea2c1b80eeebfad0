"""The verifier in JavaScript, asked many times by one process of Node, in rooms that have only what a page has."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.support.exports import verify
from tests.support.needs import needed, needs

EXPORTS = Path(sys.modules["rollbook.adapters.exports.files"].__file__ or "").parent
SCRIPTS = [EXPORTS / name for name in ("digests.js", "verify_dice.js", "verify_rollbook.js")]
"""The verifier, in the order in which a page carries its scripts."""
SCRIPT = SCRIPTS[-1]
"""Script for Node to run; it loads the others itself."""

ROOMS = """
const vm = require("vm"), fs = require("fs");
const page = { TextEncoder, TextDecoder, crypto: require("crypto").webcrypto };
const rooms = [page, { TextEncoder, TextDecoder }].map((has) => vm.createContext({ ...has }));
const sources = process.argv.slice(1).map((path) => fs.readFileSync(path, "utf8"));
rooms.forEach((room) => sources.forEach((source) => vm.runInContext(source, room)));
const verifiers = rooms.map((room) => vm.runInContext("verifyRollbook", room));
require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { path, receipts, isPlain } = JSON.parse(line);
  const asked = verifiers[Number(isPlain)](fs.readFileSync(path), receipts, path);
  const answer = await asked.catch((fault) => ({ text: fault.stack }));
  console.log(JSON.stringify(answer));
});
"""
"""A page with https, and one without: the second has no WebCrypto, and neither has a document, files or modules."""


class JavaScriptVerifier:
    """A process of Node that verifies files until it is closed. Skips the test where Node is not installed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [needed("node"), "-e", ROOMS, *map(str, SCRIPTS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def verify(self, path: Path, *receipts: str, plain: bool = False) -> tuple[int, str]:
        """The exit code and the words; ``plain``: on a page that has no WebCrypto."""
        answer = self.answer(path, *receipts, plain=plain)
        return answer["exit"], f"{answer['text']}\n"

    def answer(self, path: Path, *receipts: str, plain: bool = False) -> dict[str, object]:
        """All that a page is given."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"path": str(path), "receipts": receipts, "isPlain": plain}
        self._process.stdin.write(f"{json.dumps(asked)}\n")
        self._process.stdin.flush()
        answer: dict[str, object] = json.loads(self._process.stdout.readline())
        assert "exit" in answer, answer["text"]
        return answer

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=10)


needs_node = needs("node")
NO_ENTRY = re.compile(r"the next line (is not an entry|does not).*")
"""Words that may differ: a line that is no entry at all is so in several ways."""


def same(javascript: JavaScriptVerifier, path: Path, *receipts: str, plain: bool | None = None) -> str:
    """The answer of both verifiers on a file, which must be the same."""
    code, wanted = verify(path, *receipts)
    for is_plain in (False, True) if plain is None else (plain,):
        answer = javascript.verify(path, *receipts, plain=is_plain)
        assert (answer[0], NO_ENTRY.sub("", answer[1])) == (code, NO_ENTRY.sub("", wanted))
    return wanted
