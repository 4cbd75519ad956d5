"""Loads the documents of many sessions into ClickHouse, and compares what it finds with what `leafpress search` finds.

    documents.py LEAFPRESS FOLDER

Needs chdb, which is ClickHouse in this process. `tests/run --full` installs and runs it.
"""

import json
import os
import random
import re
import subprocess
import sys
import time

from chdb import session as chdb

SESSIONS = 600
ENTRIES = 100
WORDS = 4000
ASKED = ["rarest", "seldom", "common"]


def made(seed):
    """A word that is no part and no beginning of another."""
    letters = "bcdfghjklmnpqrstvwxz"
    word = "q"
    while seed:
        seed, at = divmod(seed, len(letters))
        word += letters[at] + "a"
    return word + "yy"


def write_home(folder):
    chance = random.Random(7)
    words = [made(nth + 1) for nth in range(WORDS)]
    place = os.path.join(folder, ".pi/agent/sessions/--w--")
    os.makedirs(place)
    for nth in range(SESSIONS):
        identity = f"session-{nth:04}-of-many"
        day = f"2026-{1 + nth % 12:02}-{1 + nth % 28:02}"
        lines = [{"type": "session", "version": 3, "id": identity, "timestamp": f"{day}T08:00:00.000Z", "cwd": f"/w/project{nth % 5}"}]
        for entry in range(ENTRIES):
            text = " ".join(chance.choice(words) for _ in range(30))
            if entry == nth % ENTRIES and nth % 200 == 3:
                text += " rarest"
            if nth % 20 == 0 and entry % 30 == 0:
                text += " seldom"
            if entry % 10 == 0:
                text += " common"
            message = {"role": "user", "content": text}
            if entry % 2:
                message = {"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop"}
            lines.append({
                "type": "message", "id": f"e{entry:03}", "parentId": f"e{entry - 1:03}" if entry else None,
                "timestamp": f"{day}T08:{entry // 60:02}:{entry % 60:02}.000Z", "message": message,
            })
        with open(os.path.join(place, f"{identity}.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)


def statements(path):
    """The table, and the queries by their names."""
    with open(path, encoding="utf-8") as file:
        sql = file.read()
    queries = dict(re.findall(r"-- query: (\w+)\n(.*?;)\n", sql, re.S))
    return sql[: sql.index("-- query:")], queries


def main(leafpress, folder):
    home = os.path.join(folder, "home")
    write_home(home)
    environment = {"HOME": home, "PATH": os.environ["PATH"], "LEAFPRESS_DATA": os.path.join(folder, "data")}

    def run(*args):
        return subprocess.run([leafpress, *args], env=environment, check=True, capture_output=True).stdout

    documents = os.path.join(folder, "documents.ndjson")
    begun = time.monotonic()
    run("archive", "--documents", documents, "--yes")
    exported = time.monotonic() - begun
    table, queries = statements(os.path.join(os.path.dirname(__file__), "../../docs/clickhouse.sql"))
    database = chdb.Session(os.path.join(folder, "clickhouse"))
    database.query("CREATE DATABASE sessions")
    database.query("USE sessions")
    database.query(table)
    begun = time.monotonic()
    load = f"INSERT INTO entries SELECT * FROM file('{documents}', JSONEachRow) SETTINGS date_time_input_format = 'best_effort'"
    for _ in range(2):
        # The second time replaces the first.
        database.query(load)
    loaded = time.monotonic() - begun

    def ask(query, **parameters):
        for name, value in parameters.items():
            database.query(f"SET param_{name} = '{value}'")
        answer = database.query(queries[query].rstrip().rstrip(";"), "JSONEachRow")
        return [json.loads(line) for line in str(answer).splitlines()]

    count = json.loads(str(database.query("SELECT count() AS n, uniqExact(session) AS s FROM entries FINAL", "JSONEachRow")))
    assert int(count["n"]) == SESSIONS * ENTRIES, count
    assert int(count["s"]) == SESSIONS, count
    for words in [*ASKED, "common seldom", made(5), f"{made(6)} {made(7)}", "nowhere"]:
        begun = time.monotonic()
        rows = ask("where", words=words)
        seconds = time.monotonic() - begun
        found = subprocess.run([leafpress, "search", words, "--json", "-n", "0"], env=environment, capture_output=True, check=False)
        found = json.loads(found.stdout)
        hits = {one["id"]: one["count"] for one in found["sessions"]}
        assert {row["session"]: int(row["entries"]) for row in rows} == hits, words
        for row in rows:
            page, entry = row["page"].split("?targetId=")
            assert page == f"sessions/{row['session']}.html", row
            best = next(one for one in found["sessions"] if one["id"] == row["session"])
            if best["count"] <= 3:
                assert entry in [hit["entryId"] for hit in best["hits"]], (row, best)
        print(f"{words!r}: {len(rows)} sessions, {seconds * 1000:.0f} ms in ClickHouse")
    prompts = ask("prompts", project="project1", since="2026-06-01 00:00:00")
    assert prompts and all(row["time"] >= "2026-06-01" for row in prompts)
    assert ask("failures") == [] and ask("landmarks") == []
    months = ask("months")
    assert sum(int(row["prompts"]) for row in months) == SESSIONS * ENTRIES // 2, months
    size = os.path.getsize(documents)
    print(f"{SESSIONS * ENTRIES} documents, {size / 1e6:.0f} MB: written in {exported:.1f} s, loaded twice in {loaded:.1f} s")


main(sys.argv[1], sys.argv[2])
