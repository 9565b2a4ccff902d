"""A view of the machine in which tests reach nothing but what is theirs.

Linux only: the process gets a network that consists of a loopback of its own, files that it cannot change, and empty
folders where other programs keep their Unix sockets and logs. Ports that the tests may use lead to servers of ours.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x00020000, 0x10000000, 0x40000000
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _READ_ONLY = 442, -100, 0x8000, 1
_IS_UP = 0x1
_LOGS = ("/var/log", "/var/logs", "/logs", "/log")
_HIDDEN = ("/tmp", "/run", "/var/tmp", "/dev/shm", "/var/lib/mysql", *_LOGS)  # noqa: S108 - replaced by empty ones


# Connects a client from inside to a server of ours. Raises `OSError`.
Door = Callable[[socket.socket], socket.socket]


class NoOwnMachine(Exception):
    """This machine does not let us."""


def _call(name: str, result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise NoOwnMachine(f"{name}: {os.strerror(number)}")


def _libc() -> ctypes.CDLL:
    if not sys.platform.startswith("linux"):
        raise NoOwnMachine("only Linux has network namespaces")
    return ctypes.CDLL(None, use_errno=True)


def _mount(libc: ctypes.CDLL, source: str, target: str, kind: str | None, flags: int) -> None:
    result = libc.mount(source.encode(), target.encode(), kind and kind.encode(), ctypes.c_ulong(flags), None)
    _call(f"mount {target}", result)


def _set_read_only(libc: ctypes.CDLL, path: str, is_read_only: bool, flags: int = 0) -> None:
    attributes = struct.pack(
        "QQQQ", _READ_ONLY if is_read_only else 0, 0 if is_read_only else _READ_ONLY, 0, 0
    )
    result = libc.syscall(
        _MOUNT_SETATTR, _AT_FDCWD, path.encode(), flags, attributes, ctypes.c_size_t(len(attributes))
    )
    _call(f"mount_setattr {path}", result)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _leave(libc: ctypes.CDLL) -> None:
    user, group = os.geteuid(), os.getegid()
    spaces = _NEW_MOUNTS | _NEW_NETWORK | (0 if user == 0 else _NEW_USER)
    _call("unshare", libc.unshare(spaces))
    if user == 0:
        return
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        except OSError as error:
            raise NoOwnMachine(f"{name}: {error.strerror}") from error


def _start_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14s", b"lo", _IS_UP, b""))  # SIOCSIFFLAGS


def _close_files(libc: ctypes.CDLL, kept: Iterable[str], writable: Sequence[str], hosts: str) -> None:
    """Everything can be read, only `writable` can be changed, and nobody's Unix sockets and logs are there."""
    _mount(libc, "none", "/", None, _RECURSIVE | _PRIVATE)
    if os.path.exists("/etc/hosts"):
        _mount(libc, hosts, "/etc/hosts", None, _BIND)
    hidden = [each for each in dict.fromkeys(map(os.path.realpath, _HIDDEN)) if os.path.isdir(each)]
    wanted = dict.fromkeys(os.path.realpath(each) for each in (*writable, *kept) if os.path.exists(each))
    # A folder inside of another one comes with it.
    outer = [each for each in wanted if not any(each != other and _is_below(each, other) for other in wanted)]
    opened = {each: os.open(each, os.O_PATH) for each in outer if any(_is_below(each, top) for top in hidden)}
    for each in hidden:
        _mount(libc, "tmpfs", each, "tmpfs", 0)
    for each, number in opened.items():
        if os.path.isdir(f"/proc/self/fd/{number}"):
            os.makedirs(each, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(each), exist_ok=True)
            os.close(os.open(each, os.O_CREAT | os.O_WRONLY))
        _mount(libc, f"/proc/self/fd/{number}", each, None, _BIND | _RECURSIVE)
        os.close(number)
    own = [os.path.realpath(each) for each in writable]
    for each in own:
        _mount(libc, each, each, None, _BIND)
    _set_read_only(libc, "/", True, _AT_RECURSIVE)
    for each in (*own, *hidden):
        _set_read_only(libc, each, False)


def _listening(ports: Iterable[int]) -> list[socket.socket]:
    made = []
    for port in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        made.append(listener)
    return made


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while True:
            data = source.recv(65_536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    finally:
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


def door_to(port: int) -> Door:
    return lambda _: socket.create_connection(("127.0.0.1", port), timeout=10)


def _lead(inside: socket.socket, door: Door) -> None:
    inside.settimeout(10)
    try:
        outside = door(inside)
    except OSError:
        inside.close()
        return
    for each in (inside, outside):
        each.settimeout(None)
    threading.Thread(target=_pump, args=(inside, outside), daemon=True).start()
    _pump(outside, inside)


def _serve(listener: socket.socket, door: Door) -> None:
    while True:
        inside, _ = listener.accept()
        threading.Thread(target=_lead, args=(inside, door), daemon=True).start()


def run_inside(
    argv: Sequence[str],
    *,
    doors: Mapping[int, Door],
    hosts: str,
    kept: Iterable[str],
    writable: Sequence[str],
) -> int:
    """
    Runs a program there, and returns its exit status. `doors`: by their ports inside; `hosts`: path of what it finds at
    `/etc/hosts`. Raises `NoOwnMachine` if this machine has no such view.
    """
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        try:
            libc = _libc()
            _leave(libc)
            _start_loopback()
            folder = os.getcwd()
            _close_files(libc, kept, writable, hosts)
            os.chdir(folder)  # the one of before lies below the new mounts
            made = _listening(doors)
            socket.send_fds(theirs, [b"ready"], [each.fileno() for each in made])
            for each in made:
                each.close()
            theirs.close()
            os.execv(argv[0], list(argv))  # noqa: S606 - no shell, as wanted
        except BaseException as error:
            reason = str(error) if isinstance(error, NoOwnMachine) else f"{type(error).__name__}: {error}"
            theirs.sendall(f"refused {reason}".encode()[:1_000])
        finally:
            os._exit(1)
    theirs.close()
    message, numbers, _, _ = socket.recv_fds(ours, 2_000, max(1, len(doors)))
    if message != b"ready":
        os.waitpid(child, 0)
        raise NoOwnMachine(message.decode("utf-8", "replace").removeprefix("refused ") or "it ended")
    for number, door in zip(numbers, doors.values()):
        listener = socket.socket(fileno=number)
        threading.Thread(target=_serve, args=(listener, door), daemon=True).start()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)
