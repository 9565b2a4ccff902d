"""Files in a folder that only this user may read."""

import os


def write_private(path: str, data: bytes) -> None:
    """With no more system calls than needed: next to code that keeps the interpreter busy, the probe's thread gets it
    back 5 ms after each of them, and does not look at the others meanwhile."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        while data:
            data = data[os.write(file, data) :]
    finally:
        os.close(file)


def replace_private(path: str, data: bytes) -> None:
    """As a whole: who reads it sees the former one or this one."""
    write_private(f"{path}.part", data)
    os.replace(f"{path}.part", path)
