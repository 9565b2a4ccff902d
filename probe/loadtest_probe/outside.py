"""Which hosts the process tries to reach, and in which window. A load test must not load somebody else.

Python itself reports connections; the names are those that were looked up. Connections of a library in C are not
seen.
"""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import json
import os
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from loadtest_probe import natives
from loadtest_probe.imports import AfterImport
from loadtest_probe.private_file import replace_private
from loadtest_probe.settings import WRITE_EVERY_SECONDS, Settings
from loadtest_probe.window_file import START, WindowFile

_LOOK_EVERY_SECONDS = 0.05
_MOST_WINDOWS = 1_000
_MOST_HOSTS = 50
_LONGEST_HOST = 255
_MOST_ADDRESSES = 10_000
_DATAGRAMS = 2  # SOCK_DGRAM


class Outside:
    """There is one in each process."""

    def __init__(self) -> None:
        self.window = START
        self._hosts: dict[str, dict[str, None]] = {}
        self._names: dict[str, str] = {}  # by the addresses that they had
        self._own = os.uname().nodename.lower()

    def begin(self) -> None:
        """Called before any other code of the process."""
        sys.addaudithook(self._on_event)
        AfterImport({"socket": self._watch_lookups, "uvloop": self._watch_uvloop}).install()

    def hosts(self) -> dict[str, list[str]]:
        """By window."""
        return {window: list(hosts) for window, hosts in list(self._hosts.items())}

    def tried(self, host: Any, addresses: Iterable[Any] = ()) -> None:
        """Somebody wants to talk to a host. Whatever goes wrong here must not go wrong in the app."""
        with contextlib.suppress(Exception):
            name = _text(host)
            found = [_text(each) for each in addresses]
            if self._is_inside(name) or (found and all(self._is_inside(each) for each in found)):
                return
            for address in found:
                if len(self._names) < _MOST_ADDRESSES:
                    self._names[address] = name
            self._note(self._names.get(name, name))

    def _note(self, host: str) -> None:
        if self.window not in self._hosts and len(self._hosts) >= _MOST_WINDOWS:
            return
        hosts = self._hosts.setdefault(self.window, {})
        if len(hosts) < _MOST_HOSTS:
            hosts[host[:_LONGEST_HOST]] = None

    def _is_inside(self, host: str) -> bool:
        """True if it is this machine."""
        if host in ("", "localhost", self._own) or host.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return bool(self._own) and host.startswith(f"{self._own}.")
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_loopback or address.is_unspecified or address.is_multicast

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect":
            with contextlib.suppress(Exception):
                self._on_connect(*arguments)
        elif event == "socket.gethostbyname":
            self.tried(arguments[0])

    def _on_connect(self, connection: Any, address: Any) -> None:
        # Others are paths of Unix sockets.
        if not isinstance(address, tuple) or len(address) not in (2, 4) or not isinstance(address[0], str):
            return
        # Nothing is sent when datagrams get an address: that is how a machine learns its own.
        if int(connection.type) & 0xF == _DATAGRAMS and address[0] not in self._names:
            return
        self.tried(address[0])

    def _watch_lookups(self, module: ModuleType) -> None:
        look_up = module.getaddrinfo

        @functools.wraps(look_up)
        def getaddrinfo(*args: Any, **kwargs: Any) -> Any:
            host = args[0] if args else kwargs.get("host")
            try:
                found = look_up(*args, **kwargs)
            except BaseException:
                self.tried(host)
                raise
            self.tried(host, (each[4][0] for each in found))
            return found

        module.__dict__["getaddrinfo"] = getaddrinfo

    def _watch_uvloop(self, module: ModuleType) -> None:
        """Its own C code looks names up and connects."""
        loop = module.Loop
        look_up, connect = loop.getaddrinfo, loop.create_connection

        @functools.wraps(look_up)
        async def getaddrinfo(own: Any, host: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                found = await look_up(own, host, *args, **kwargs)
            except BaseException:
                self.tried(host)
                raise
            self.tried(host, (each[4][0] for each in found))
            return found

        @functools.wraps(connect)
        async def create_connection(own: Any, *args: Any, **kwargs: Any) -> Any:
            host = args[1] if len(args) > 1 else kwargs.get("host")
            try:
                made = await connect(own, *args, **kwargs)
            except BaseException:
                self.tried(host)
                raise
            self.tried(host, _peer(made[0]))
            return made

        loop.getaddrinfo = getaddrinfo
        loop.create_connection = create_connection


class OutsideWatch:
    """Notes only which hosts the process tries to reach. A child that forks has its own file, with all that was
    before."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.folder
        self._windows = WindowFile(settings.folder)
        self._outside = Outside()

    def begin(self) -> None:
        self._outside.begin()
        os.register_at_fork(after_in_child=self._start)
        self._start()

    def _start(self) -> None:
        self._path = os.path.join(self._folder, f"worker-{os.getpid()}-{os.urandom(4).hex()}.json")
        natives.start_thread(self._watch, ())

    def _watch(self) -> None:
        written = 0.0
        while True:
            natives.sleep(_LOOK_EVERY_SECONDS)
            self._outside.window = self._windows.another() or self._outside.window
            if natives.now() - written >= WRITE_EVERY_SECONDS:
                document = {"schemaVersion": 1, "outside": self._outside.hosts()}
                try:
                    replace_private(self._path, json.dumps(document, separators=(",", ":")).encode())
                except OSError:
                    return  # the folder is gone: nobody wants to know any more
                written = natives.now()


def _text(host: Any) -> str:
    text = host.decode("ascii", "replace") if isinstance(host, (bytes, bytearray)) else host
    return text.rstrip(".").lower() if isinstance(text, str) else ""


def _peer(transport: Any) -> list[str]:
    """Its address, or none where nobody knows it."""
    peer = transport.get_extra_info("peername")
    return [peer[0]] if isinstance(peer, tuple) and peer and isinstance(peer[0], str) else []
