#!/usr/bin/env python3
"""disk-full.py [BINARY]: a server whose data folder is on a small disk (a tmpfs, as root) that is filled while it is used.

While the disk is full, each save is refused with a sentence (503, storage/full) or acknowledged and there; what can be read is read, also after
kill -9 and a new start. Once there is room, saving works without a restart. Nothing that was acknowledged is ever missing.
"""

import base64
import contextlib
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", CHECKOUT / "target"))
PASSWORD = "balise-jaune-2026"
BYTES = 80 * 1024 * 1024


def step(words):
    print(f"· {words}", file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Person:
    """A client with its own session."""

    def __init__(self, base, email):
        self.base, self.email = base, email
        self.sign_in()

    def sign_in(self):
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        return self.ask("POST", "/api/v1/session", {"email": self.email, "password": PASSWORD})

    def ask(self, method, path, body=None, headers=()):
        """The status, the body and the headers of an answer."""
        sent = {"origin": self.base, "content-type": "application/json", **dict(headers)}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=sent)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read(), refused.headers


def picture(seed):
    """A PNG of 1300 by 900 pixels, another one for each seed."""
    row = b"\0" + bytes((seed * 31 + at * at) % 256 for at in range(1300 * 3))
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = part(b"IHDR", struct.pack(">IIBBBBB", 1300, 900, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(row * 900, 0)) + part(b"IEND", b"")


class Server:
    def __init__(self, binary, disk):
        self.binary, self.disk, self.port = binary, disk, free_port()
        self.base = f"http://localhost:{self.port}"
        names = {name: value for name, value in os.environ.items() if not name.startswith("JALON_")}
        self.environment = {**names, "JALON_DATA": str(disk / "data")}
        self.log = tempfile.NamedTemporaryFile(prefix="jalon-disk-full-", suffix=".log")

    def run(self, *arguments):
        return subprocess.run([self.binary, *arguments], env=self.environment, cwd="/", capture_output=True, text=True)

    def start(self):
        command = [self.binary, "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self.environment, cwd="/", stdout=self.log, stderr=self.log)
        for _ in range(300):
            assert self.process.poll() is None, f"the server ended: {pathlib.Path(self.log.name).read_text()[-2000:]}"
            try:
                return urllib.request.urlopen(f"{self.base}/livez", timeout=5)
            except OSError:
                time.sleep(0.2)
        raise AssertionError("the server does not answer")

    def ready(self):
        return json.loads(urllib.request.urlopen(f"{self.base}/readyz", timeout=30).read())

    def fill(self):
        """Takes the last byte of the disk."""
        with open(self.disk / "filler", "ab", buffering=0) as filler:
            for piece in (65_536, 512):
                try:
                    while True:
                        filler.write(b"\0" * piece)
                except OSError:
                    pass

    def make_room(self):
        (self.disk / "filler").unlink()


class Work:
    """Saves of several kinds, and what was acknowledged."""

    def __init__(self, server):
        self.server, self.count, self.acknowledged = server, 0, []
        self.editor = Person(server.base, "editeur.sauvelle@demo.jalon.example")
        self.admin = Person(server.base, "superadmin@demo.jalon.example")

    def save(self):
        """One save of each kind: how each ended, by kind."""
        self.count += 1
        number, ended = self.count, {}
        title = f"Lieu {number}."
        poi = {"title": {"fr": title}, "location": [3.1, 45.5], "description": {"fr": f"<p>{'abc ' * 2000}</p>"}}
        contact = {"structure_id": 1, "last_name": title, "first_name": "A", "email": f"c{number}@exemple.fr"}
        media = f"/api/v1/medias?file_name=p{number}.png"
        upload = {"tus-resumable": "1.0.0", "upload-length": "200000", "upload-metadata": f"filename {base64.b64encode(b'a.gpx').decode()}"}
        for kind, person, path, body, headers, said in (
            ("poi", self.editor, "/api/v1/pois", poi, {}, title),
            ("contact", self.admin, "/api/v1/contacts", contact, {}, title),
            ("picture", self.editor, media, picture(number), {"content-type": "image/png"}, f"p{number}.png"),
            ("upload", self.editor, "/api/v1/uploads", b"", upload, None),
        ):
            status, answer, head = person.ask("POST", path, body, headers)
            ended[kind] = status
            if status == 201:
                at = head["location"].replace(self.server.base, "") if said is None else f"{path.split('?')[0]}/{json.loads(answer)['id']}"
                self.acknowledged.append((person, at, said))
                continue
            problem = json.loads(answer)
            assert (status, problem["code"], head["retry-after"]) == (503, "storage/full", "10"), f"{kind}: {status} {problem}"
        return ended

    def missing(self):
        """What was acknowledged and is not there."""
        gone = []
        for person, path, said in self.acknowledged:
            status, answer, _ = person.ask("GET", path) if said else person.ask("HEAD", path, headers={"tus-resumable": "1.0.0"})
            if status not in (200, 204) or (said and said.encode() not in answer):
                gone.append((path, status))
        return gone

    def check(self, when):
        gone = self.missing()
        assert not gone, f"{when}: acknowledged and missing: {gone}"
        step(f"{when}: all {len(self.acknowledged)} acknowledged saves are there")


def drill(binary, disk):
    server = Server(binary, disk)
    made = server.run("demo", "--people-only")
    assert made.returncode == 0, made.stderr
    server.start()
    try:
        work = Work(server)
        assert set(work.save().values()) == {201}
        step("the disk is full")
        server.fill()
        ended = [work.save() for _ in range(8)]
        refused = sum(status == 503 for one in ended for status in one.values())
        assert refused > 0, "nothing was refused: the disk is not full"
        step(f"{refused} of {8 * 4} saves refused with storage/full")
        assert work.editor.ask("GET", "/api/v1/pois")[0] == 200 and work.editor.ask("GET", "/")[0] == 200
        ready = server.ready()
        assert (ready["status"], ready["disk"]) == ("degraded", "failing"), ready
        doctor = server.run("doctor").stdout
        assert re.search(r"^disk +WARNING: .*: [0-9] MB free of 80 MB$", doctor, re.MULTILINE), doctor
        work.check("while it is full")
        server.make_room()
        assert set(work.save().values()) == {201}, "saving works again without a restart"
        work.check("with room again")
        step("full again, kill -9, and a start on the full disk")
        server.fill()
        server.process.kill()
        server.process.wait()
        server.start()
        assert server.ready()["disk"] == "failing"
        assert work.editor.ask("GET", "/api/v1/pois")[0] == 200, "what is there is read"
        work.save()
        server.make_room()
        time.sleep(1)
        for person in (work.editor, work.admin):
            assert person.sign_in()[0] == 200
        assert set(work.save().values()) == {201}
        work.check("at the end")
    finally:
        server.process.terminate()
        ended = server.process.wait()
    assert ended == 0, f"the server ended with {ended}"
    with contextlib.closing(sqlite3.connect(disk / "data" / "jalon.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def main():
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("JALON_BINARY", TARGET / "debug" / "jalon")).resolve()
    if os.geteuid() != 0:
        sys.exit("disk-full: run it as root: it mounts a small disk in memory")
    disk = pathlib.Path(tempfile.mkdtemp(prefix="jalon-disk-full-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={BYTES}", "tmpfs", disk], check=True)
    try:
        drill(str(binary), disk)
    finally:
        subprocess.run(["umount", disk], check=True)
        shutil.rmtree(disk)
    step("disk-full: all good")


if __name__ == "__main__":
    main()
