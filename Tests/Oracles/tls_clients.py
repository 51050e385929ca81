#!/usr/bin/env python3
"""TLS clients that misbehave, for TLSTests: each prints what the server answered until it closed.

usage: tls_clients.py CLIENT PORT CERTIFICATE [REQUEST]

CLIENT is one of
  trickle     sends each byte of its records in a segment of its own
  half-close  says close_notify after its request and reads the answer then
  cut         ends the connection after its request without close_notify
  corrupt     flips a bit in the record of its request
  stall       sends three bytes of a ClientHello and waits
  garbage     speaks something else than TLS
  vanish      resets the connection in the middle of the handshake
  old         speaks TLS 1.1 at the most
"""
import socket
import ssl
import struct
import sys
import time


class Client:
    """TLS in memory over a socket, so that every byte can be looked at on its way."""

    def __init__(self, port, certificate, send):
        context = ssl.create_default_context(cafile=certificate)
        self.socket = connect(port)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="farm.test")
        self.send = send
        self.drive(self.tls.do_handshake)

    def flush(self):
        data = self.outgoing.read()
        if data:
            self.send(self.socket, data)

    def drive(self, step):
        while True:
            try:
                result = step()
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                data = self.socket.recv(65536)
                if not data:
                    self.incoming.write_eof()
                else:
                    self.incoming.write(data)

    def write(self, data):
        self.tls.write(data)
        self.flush()

    def say_goodbye(self):
        """Sends close_notify and does not wait for the other one."""
        try:
            self.tls.unwrap()
        except ssl.SSLWantReadError:
            pass
        self.flush()

    def read_all(self):
        """Until close_notify; ends with a word on how the connection ended."""
        answer = b""
        while True:
            try:
                data = self.drive(lambda: self.tls.read(65536))
            except ssl.SSLZeroReturnError:
                return answer + b"[close_notify]"
            except (ssl.SSLError, OSError) as error:
                return answer + b"[" + type(error).__name__.encode() + b"]"
            if not data:  # Python's word for close_notify while this side is open
                return answer + b"[close_notify]"
            answer += data


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def whole(connection, data):
    connection.sendall(data)


def bytewise(connection, data):
    for position in range(len(data)):
        connection.sendall(data[position:position + 1])
        time.sleep(0.0005)


def raw(port, data):
    """Sends `data` and returns what came until the server closed, and whether it did."""
    connection = connect(port)
    connection.sendall(data)
    answer = b""
    try:
        while True:
            part = connection.recv(65536)
            if not part:
                return answer.hex().encode() + b"[end]"
            answer += part
    except ConnectionResetError:
        return answer.hex().encode() + b"[end]"
    except TimeoutError:
        return b"[open]"


def main():
    kind, port, certificate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    request = sys.argv[4].encode() if len(sys.argv) > 4 else b""
    if kind == "stall":
        return raw(port, b"\x16\x03\x01")
    if kind == "garbage":
        return raw(port, b"HELO farm.test\r\n" * 64)
    if kind == "vanish":
        connection = connect(port)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(b"\x16\x03\x01\x02\x00\x01")
        connection.close()
        return b"[gone]"
    if kind == "old":
        context = ssl.create_default_context(cafile=certificate)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        try:
            context.wrap_socket(connect(port), server_hostname="farm.test")
        except (ssl.SSLError, OSError) as error:
            return f"[refused] {error}".encode()
        return b"[accepted]"
    client = Client(port, certificate, bytewise if kind == "trickle" else whole)
    if kind == "corrupt":
        client.send = lambda connection, data: connection.sendall(data[:-1] + bytes([data[-1] ^ 1]))
    client.write(request)
    client.send = whole
    if kind == "half-close":
        client.say_goodbye()
    if kind == "cut":
        client.socket.shutdown(socket.SHUT_WR)
    return client.read_all()


if __name__ == "__main__":
    sys.stdout.buffer.write(main())
