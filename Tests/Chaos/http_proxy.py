"""A proxy on loopback that hurts HTTP/1.1: it stalls, cuts, replays and reorders requests and answers.

Every connection has a thread, and a connection of its own to the coordinator. A request is read to its end before
anything is decided about it; an answer too, unless nothing is done to it.
"""
import math
import select
import socket
import threading
import time

FAULTS = ["stalled request", "stalled answer", "cut request", "cut answer", "replayed", "reordered"]
SHORTEST_STALL_SECONDS, LONGEST_STALL_SECONDS = 0.2, 8
# So many requests without a fault are followed by one with.
LONGEST_PEACE = 12
# A request that is held for a later one goes on after this time, and then counts as stalled.
LONGEST_HOLD_SECONDS = 5
SOCKET_LIMIT_SECONDS = 90


class Gone(Exception):
    """One side closed its connection."""


class Message:
    """A request or an answer: its bytes, and the first line split at spaces."""

    def __init__(self, head, body):
        self.data = head + body
        self.words = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")


class Wire:
    """One side of a connection, read message by message."""

    def __init__(self, connection):
        self.socket, self.buffer = connection, b""
        connection.settimeout(SOCKET_LIMIT_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise Gone from error
        if not data:
            raise Gone
        self.buffer += data

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone from error

    def take(self, length):
        while len(self.buffer) < length:
            self.receive()
        data, self.buffer = self.buffer[:length], self.buffer[length:]
        return data

    def take_through(self, end):
        while end not in self.buffer:
            self.receive()
        return self.take(self.buffer.index(end) + len(end))

    def message(self, is_answer_without_body=False):
        """The next message (RFC 9112, section 6). An answer to HEAD has no body, whatever its fields say."""
        head = self.take_through(b"\r\n\r\n")
        lines = head[:-4].split(b"\r\n")
        parts = [line.partition(b":") for line in lines[1:]]
        fields = {name.strip().lower(): value.strip() for name, _, value in parts}
        if fields.get(b"expect", b"").lower() == b"100-continue":
            # The proxy takes the body at once and asks the coordinator without that expectation.
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            head = b"\r\n".join(line for line in lines if not line.lower().startswith(b"expect:")) + b"\r\n\r\n"
        status = lines[0].split(b" ")[1] if lines[0].startswith(b"HTTP/") else None
        if is_answer_without_body or status in (b"204", b"304"):
            return Message(head, b"")
        if status and status.startswith(b"1"):
            return self.message(is_answer_without_body)
        if b"chunked" in fields.get(b"transfer-encoding", b"").lower():
            return Message(head, self.chunks())
        if b"content-length" in fields:
            return Message(head, self.take(int(fields[b"content-length"])))
        return Message(head, b"" if status is None else self.rest())

    def chunks(self):
        body = b""
        while True:
            line = self.take_through(b"\r\n")
            length = int(line.split(b";")[0], 16)
            body += line
            if length == 0:
                while (field := self.take_through(b"\r\n")) != b"\r\n":
                    body += field
                return body + b"\r\n"
            body += self.take(length + 2)

    def rest(self):
        try:
            while True:
                self.receive()
        except Gone:
            return self.take(len(self.buffer))

    def close(self):
        try:
            # Whoever reads from it in another thread wakes up.
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Proxy:
    """Listens on a free port and passes everything to `target` until faults are switched on."""

    def __init__(self, target):
        self.target = target
        self.lock = threading.Condition()
        self.rng, self.probability, self.counts = None, 0, {}
        # Counts requests as they arrive and notes which were answered, so that a held one can wait for a later one.
        self.arrived, self.latest_answered = 0, 0
        self.replays, self.peace = [], 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def start_faults(self, rng, probability):
        with self.lock:
            self.rng, self.probability, self.counts = rng, probability, dict.fromkeys(FAULTS, 0)
            self.peace = 0

    def stop_faults(self):
        """Ends faults and waits for replays under way. Returns how many faults of each kind were made."""
        with self.lock:
            self.rng = None
            self.lock.notify_all()
            replays, self.replays = self.replays, []
        for replay in replays:
            replay.join(5)
        with self.lock:
            return dict(self.counts)

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(Wire(connection),), daemon=True).start()

    def connect(self):
        try:
            return Wire(socket.create_connection(("127.0.0.1", self.target), timeout=10))
        except OSError as error:
            raise Gone from error

    def serve(self, client):
        server = None
        try:
            while True:
                request = client.message()
                server = server or self.connect()
                self.exchange(client, server, request)
        except Gone:
            pass
        finally:
            client.close()
            if server:
                server.close()

    def draw(self):
        """A fault for the next request, and a number from 0 to 1 for its size; None for no fault."""
        with self.lock:
            self.arrived += 1
            self.peace += 1
            if not self.rng or self.rng.random() >= self.probability and self.peace <= LONGEST_PEACE:
                return None, 0, self.arrived
            self.peace = 0
            return self.rng.choice(FAULTS), self.rng.random(), self.arrived

    def count(self, fault):
        with self.lock:
            if fault in self.counts:
                self.counts[fault] += 1

    def exchange(self, client, server, request):
        fault, size, number = self.draw()
        if fault == "reordered":
            fault = "reordered" if self.hold(number) else "stalled request"
            self.count(fault)
            server.send(request.data)
        elif fault == "stalled request":
            cut = self.within(request, size)
            server.send(request.data[:cut])
            self.count(fault)
            self.pause(size)
            server.send(request.data[cut:])
        elif fault == "cut request":
            server.send(request.data[: self.within(request, size)])
            self.count(fault)
            raise Gone
        elif fault == "replayed":
            self.replay(request, size)
            server.send(request.data)
        else:
            server.send(request.data)
        answer = self.answer(client, server, request)
        with self.lock:
            self.latest_answered = max(self.latest_answered, number)
            self.lock.notify_all()
        if fault in ("stalled answer", "cut answer"):
            cut = self.within(answer, size)
            self.count(fault)
            client.send(answer.data[:cut])
            if fault == "cut answer":
                raise Gone
            self.pause(size)
            client.send(answer.data[cut:])
        else:
            client.send(answer.data)

    def within(self, message, size):
        """A place inside the message: before its first byte, or behind some but not all of it."""
        return int(size * (len(message.data) - 1))

    def answer(self, client, server, request):
        """The coordinator's answer; Gone as soon as the client leaves, so that the coordinator sees that too."""
        while not server.buffer:
            readable, _, _ = select.select([client.socket, server.socket], [], [], SOCKET_LIMIT_SECONDS)
            if not readable:
                raise Gone
            if server.socket in readable:
                break
            if not client.socket.recv(1, socket.MSG_PEEK):
                raise Gone
            # The client sends its next request already; it is read after the answer.
            server.receive()
        return server.message(is_answer_without_body=request.words[0] == "HEAD")

    def hold(self, number):
        """Waits until a request that arrived later was answered. Returns whether one was."""
        with self.lock:
            self.lock.wait_for(lambda: self.latest_answered > number or not self.rng, LONGEST_HOLD_SECONDS)
            return self.latest_answered > number

    def pause(self, size):
        ratio = math.log(LONGEST_STALL_SECONDS / SHORTEST_STALL_SECONDS)
        end = time.monotonic() + SHORTEST_STALL_SECONDS * math.exp(size * ratio)
        with self.lock:
            self.lock.wait_for(lambda: not self.rng, end - time.monotonic())

    def replay(self, request, size):
        """Sends the request's bytes once more on a second connection, up to two seconds before or after the first."""
        def run():
            try:
                time.sleep(max(0, size * 4 - 2))
                server = self.connect()
                try:
                    server.send(request.data)
                    self.count("replayed")
                    server.message(is_answer_without_body=request.words[0] == "HEAD")
                finally:
                    server.close()
            except Gone:
                pass

        thread = threading.Thread(target=run, daemon=True)
        with self.lock:
            self.replays.append(thread)
        thread.start()
        if size < 0.5:
            # The copy goes first and its answer too; a poll that waits is not waited for.
            thread.join(2)
