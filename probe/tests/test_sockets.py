"""Which connections are evidence of packets that are held back."""

import socket

from loadtest_probe.sockets import look_at_connections


def test_only_connections_that_have_replied_count() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert look_at_connections(port) == (0, 0)
        with socket.create_connection(("127.0.0.1", port)) as client:
            server, _ = listening.accept()
            with server:
                client.sendall(b"a request")
                assert server.recv(20) == b"a request"
                assert look_at_connections(port) == (0, 0)
                server.sendall(b"a reply")
                assert look_at_connections(port) == (1, 1)
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                assert look_at_connections(port) == (1, 0)
