"""Follow a table of rollbook, and post every new line of its log to a webhook.

It is called as webhook.py SERVER CAMPAIGN WEBHOOK. The token, with the scope read, is in ROLLBOOK_TOKEN. What is posted is
JSON with a text, {"content": "…"}, as chats take it.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

SERVER, CAMPAIGN, WEBHOOK = sys.argv[1:]
TABLE = f"{SERVER}/api/v1/campaigns/{CAMPAIGN}"
TOKEN = {"Authorization": f"Bearer {os.environ['ROLLBOOK_TOKEN']}"}


def asked(path: str) -> Any:
    with urlopen(Request(TABLE + path, headers=TOKEN)) as answer:
        return json.load(answer)


def bells(after: str) -> Iterator[bytes]:
    with urlopen(Request(f"{TABLE}/events?after={after}", headers=TOKEN)) as stream:
        yield from (line for line in stream if line.startswith(b"event: bell"))


cursor = asked("")["cursor"]
for _ in bells(cursor):
    more = True
    while more:
        news = asked(f"/log?after={cursor}")
        cursor, more = news["cursor"], news["more"]
        if news["reset"]:  # words were removed: what was posted is another log
            cursor = asked("")["cursor"]
            break
        acts = {line["action"]: line["sentence"] for line in news["changed"] + news["lines"] if line["what"]}
        for line in news["lines"]:
            about = "" if line["what"] else f" ({acts.get(line['action'], '')})"
            said = json.dumps({"content": line["sentence"] + about}).encode()
            urlopen(Request(WEBHOOK, said, {"Content-Type": "application/json"})).close()
