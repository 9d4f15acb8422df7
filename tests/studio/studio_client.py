"""A studio server and those who talk to it: plain sockets, nothing but the standard library."""
import base64, hashlib, json, os, socket, struct, subprocess, tempfile, time


class Server:
    def __init__(self, build, folder, *words, page=None):
        environment = dict(os.environ)
        if page:
            environment["QDOT_STUDIO_PAGE"] = page
        self.process = subprocess.Popen([build + "/qdot", "studio", folder, "--no-browser", *words],
                                        stdout=subprocess.PIPE, env=environment)
        self.link = self.process.stdout.readline().decode().strip()
        if not self.link:
            raise RuntimeError("the server says nothing")
        self.port = int(self.link.split(":")[2].split("/")[0])
        self.token = self.link.split("token=")[1]
        self.cookie = None

    def connect(self, seconds=20):
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds)

    def ask(self, path="/", host=None, method="GET", headers=(), raw=None):
        """Status and whole answer of one HTTP request; status 0 where the connection just ends."""
        with self.connect() as connection:
            lines = [f"{method} {path} HTTP/1.1"]
            if host != "":
                lines.append("Host: " + (host or f"127.0.0.1:{self.port}"))
            lines += [*headers, "Connection: close"]
            connection.sendall(raw if raw is not None else ("\r\n".join(lines) + "\r\n\r\n").encode())
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except OSError:
                pass
        return (int(answer.split()[1]) if answer else 0), answer.decode("latin-1")

    def enter(self):
        """Exchanges the token for the cookie."""
        status, answer = self.ask("/?token=" + self.token)
        for line in answer.split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.split(":", 1)[1].split(";")[0].strip()
        return status

    def page(self, **other):
        return Page(self, **other)

    def is_alive(self):
        return self.process.poll() is None

    def end(self):
        self.process.terminate()
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Refused(Exception):
    pass


class Page:
    """A WebSocket as the page opens it."""

    def __init__(self, server, origin=True, cookie=True, host=None):
        self.connection, self.buffer, self.number = server.connect(), b"", 0
        host = host or f"127.0.0.1:{server.port}"
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET /ws HTTP/1.1", "Host: " + host, "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + key]
        if origin:
            lines.append("Origin: " + (origin if origin is not True else "http://" + host))
        if cookie and server.cookie:
            lines.append("Cookie: " + server.cookie)
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            piece = self.connection.recv(65536)
            if not piece:
                raise Refused("closed")
            self.buffer += piece
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            self.connection.close()
            raise Refused(head.split(b"\r\n")[0].decode())
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert b"sec-websocket-accept: " + accept.lower() in head.lower(), head

    def frame(self, payload, opcode=1, final=True, masked=True):
        head = bytes([(0x80 if final else 0) | opcode])
        n = len(payload)
        bit = 0x80 if masked else 0
        head += bytes([bit | n]) if n < 126 else bytes([bit | 126]) + struct.pack(">H", n) if n < 65536 \
            else bytes([bit | 127]) + struct.pack(">Q", n)
        if not masked:
            return head + payload
        mask = os.urandom(4)
        pad = mask * (n // 4 + 1)
        return head + mask + (int.from_bytes(payload, "big") ^ int.from_bytes(pad[:n], "big")).to_bytes(n, "big")

    def send(self, do, **members):
        self.number += 1
        self.connection.sendall(self.frame(json.dumps({"do": do, "id": self.number, **members}).encode()))
        return self.number

    def need(self, n):
        while len(self.buffer) < n:
            piece = self.connection.recv(1 << 20)
            if not piece:
                raise Refused("closed")
            self.buffer += piece

    def receive(self):
        """The next message: its head, with its sections as bytes."""
        while True:
            self.need(2)
            opcode, n, at = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if n == 126:
                self.need(4)
                n, at = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif n == 127:
                self.need(10)
                n, at = struct.unpack(">Q", self.buffer[2:10])[0], 10
            self.need(at + n)
            payload, self.buffer = self.buffer[at:at + n], self.buffer[at + n:]
            if opcode == 8:
                raise Refused("closed")
            if opcode == 2:
                break
        length = struct.unpack("<I", payload[:4])[0]
        head, body = json.loads(payload[4:4 + length]), payload[4 + length:]
        assert (4 + length) % 8 == 0
        head["sections"] = {name: body[a:a + n] for name, (a, n) in head["sections"].items()}
        return head

    def until(self, *verbs, number=None):
        """Messages up to the first with one of these verbs."""
        while True:
            message = self.receive()
            if message["do"] in verbs and (number is None or message["id"] == number):
                return message

    def ask(self, do, answer, **members):
        return self.until(answer, "refused", number=self.send(do, **members))

    def edit(self, text, file="", **members):
        """All answers to an edit, by their verbs."""
        number, found = self.send("edit", text=text, file=file, **members), {}
        while "done" not in found:
            message = self.receive()
            if message["id"] == number:
                found[message["do"]] = message
        return found

    def close(self):
        self.connection.close()


def resident(pid):
    """Megabytes of a process and of those that it started."""
    total = 0
    for entry in os.listdir("/proc"):
        try:
            status = open(f"/proc/{entry}/status", encoding="utf-8").read() if entry.isdigit() else ""
        except OSError:
            continue
        fields = dict(line.split(":\t", 1) for line in status.split("\n") if ":\t" in line)
        if status and str(pid) in (entry, fields["PPid"].strip()):
            total += int(fields.get("VmRSS", "0 kB").split()[0]) / 1000
    return total


def dummy_page():
    folder = tempfile.mkdtemp()
    for name in "index.html", "studio.js", "studio.css":
        with open(f"{folder}/{name}", "w") as file:
            file.write("NONCE")
    return folder


def wait_until(test, seconds=20):
    end = time.time() + seconds
    while not test():
        if time.time() > end:
            return False
        time.sleep(0.02)
    return True
