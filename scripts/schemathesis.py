"""schemathesis.py JALON EXAMPLES [PERSON...]: asks every operation of openapi.json and openapi.public.json on a demo server of its own, as a visitor,
a reader and an editor, with what schemathesis makes up.

Fails when an answer is a server error (schemathesis-hooks/server_errors.py), or has a status, media type or body that the contract does not describe.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

CHECKS = "no_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
DOCUMENTS = ["openapi.json", "openapi.public.json"]
PASSWORD = "balise-jaune-2026"
PEOPLE = {"visitor": None, "reader": "lecteur@demo.jalon.example", "editor": "editeur@demo.jalon.example"}
# They end the session that asks, or change what it signs in with: all that comes after them would be a 401.
OWN_SESSION = ["delete_session", "delete_sessions", "end_own_session", "change_password", "enable_totp", "offer_totp", "disable_totp"]
# Nothing here is to reach another server, and no bound on one address is to hide what lies behind it.
SETTINGS = {
    "JALON_PUBLIC_REQUESTS_A_MINUTE": "0",
    "JALON_FEEDBACK__PER_HOUR": "0",
    "JALON_STATISTICS__EVENTS_PER_MINUTE": "0",
    "JALON_IMPORTS__PAUSE_MS": "0",
    "JALON_LOG": "warn",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url):
    for _ in range(300):
        try:
            urllib.request.urlopen(url + "/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("the server did not start")


def cookie_of(url, email):
    body = json.dumps({"email": email, "password": PASSWORD}).encode()
    request = urllib.request.Request(url + "/api/v1/session", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers["set-cookie"].split(";")[0]


def asked_by(person, document, jalon, demo, folder, examples):
    data = os.path.join(folder, f"{person}-{document}")
    shutil.copytree(demo, data)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = open(data + ".log", "w+")
    environment = {**os.environ, **SETTINGS}
    server = subprocess.Popen([jalon, "serve", "--data", data, "--port", str(port)], stdout=log, stderr=log, env=environment)
    try:
        wait_for(url)
        command = ["st", "run", document, "--url", url, "--checks", CHECKS, "--max-examples", str(examples)]
        command += ["--phases", "examples,coverage,fuzzing", "--workers", "1", "--seed", "18", "--no-shrink"]
        command += ["--request-timeout", "60", "--warnings", "off", "--suppress-health-check", "all"]
        command += ["--continue-on-failure", "--output-truncate", "false"]
        # Its body is a piece of a file, which schemathesis cannot write; crates/api/tests/it/uploads.rs asks it.
        command += ["--exclude-operation-id", "receive_upload"]
        if email := PEOPLE[person]:
            command += ["--header", f"Cookie: {cookie_of(url, email)}"]
            for name in OWN_SESSION:
                command += ["--exclude-operation-id", name]
        hooks = {"SCHEMATHESIS_HOOKS": "server_errors", "PYTHONPATH": os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemathesis-hooks")}
        done = subprocess.run(command, check=False, env={**os.environ, **hooks}).returncode
        if server.poll() is not None:
            print(f"the server ended with {server.returncode}", file=sys.stderr)
            done = 1
        return done
    finally:
        server.terminate()
        server.wait(30)
        log.seek(0)
        for line in [line for line in log if '"ERROR"' in line or " ERROR " in line][:20]:
            print(line.rstrip(), file=sys.stderr)
        log.close()


def main():
    jalon, examples, people = sys.argv[1], int(sys.argv[2]), sys.argv[3:] or list(PEOPLE)
    with tempfile.TemporaryDirectory(prefix="jalon-security-") as folder:
        demo = os.path.join(folder, "demo")
        subprocess.run([jalon, "demo", "--data", demo], check=True, stdout=subprocess.DEVNULL)
        failed = []
        for person in people:
            for document in DOCUMENTS:
                print(f"· as a {person}: {document}", file=sys.stderr, flush=True)
                if asked_by(person, document, jalon, demo, folder, examples) != 0:
                    failed.append(f"{person} ({document})")
    if failed:
        sys.exit(f"schemathesis found answers that are not right, asked by: {', '.join(failed)}")


main()
