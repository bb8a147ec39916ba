"""A server for tests that answers as it is told, well or badly: prints its port, writes each request as a line of JSON, ends
with its standard input. Option `script`: for mail, what to say line by line; without one it speaks HTTP by the path, with the
option `tls` over TLS by the certificate in its folder."""
import gzip
import json
import os
import socket
import ssl
import sys
import threading
import time

options = json.loads(sys.argv[1])
folder = options["folder"]
lock = threading.Lock()
forever = threading.Event()


def record(entry):
    with lock, open(os.path.join(folder, "records"), "a") as log:
        log.write(json.dumps(entry) + "\n")


def mail(connection):
    """Each step is a reply, given after a line was read (the first at once); `stall` waits, `drop` ends the
    connection, `last: ` says something before."""
    lines = connection.makefile("rb")
    in_data = False
    for index, step in enumerate(options["script"]):
        if index > 0:
            line = lines.readline()
            while in_data and line not in (b".\r\n", b""):
                line = lines.readline()
            in_data = False
            record({"line": line.decode("latin-1")})
        if step == "stall":
            forever.wait()
        if step == "drop":
            return
        if step == "drop in data":
            connection.sendall(b"354 go\r\n")
            lines.readline()
            return
        if step.startswith("last: "):
            connection.sendall(step[6:].encode("latin-1"))
            return
        connection.sendall(step.encode("latin-1"))
        in_data = step.startswith("354")
    lines.readline()


def answer(path):
    status = path.split("?")[0].strip("/").split("/")[0]
    if status in options.get("bodies", {}):
        body = options["bodies"][status].encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    if status == "redirect":
        return b"HTTP/1.1 302 Found\r\nLocation: /200\r\nContent-Length: 0\r\n\r\n"
    if status == "drop":
        return b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
    if status == "silence":
        return b""
    if status == "nonsense":
        return b"\x00\xff\x00 nothing that anybody knows\r\n\r\n"
    if status == "bomb":
        body = gzip.compress(bytes(10_000_000))
        return b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    if status == "huge":
        return b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 10_000_000
    body = b"said: \x1b[31mno\r\nX-More: 1" if status != "200" else b"{}"
    return b"HTTP/1.1 %s Word\r\nContent-Length: %d\r\n\r\n" % (status.encode(), len(body)) + body


def web(connection):
    lines = connection.makefile("rb")
    path = lines.readline().decode("latin-1").split(" ")[1]
    headers = []
    length = 0
    while True:
        line = lines.readline().decode("latin-1").rstrip("\r\n")
        if not line:
            break
        headers.append(line)
        if line.lower().startswith("content-length:"):
            length = int(line.split(":")[1])
    body = lines.read(length).decode("utf-8", "replace")
    record({"path": path, "headers": headers, "body": body})
    if path.startswith("/stall"):
        forever.wait()
    if path.startswith("/endless"):
        # Fields, or a body, that never come to an end, a little at a time.
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + (b"" if path == "/endless/fields" else b"\r\n"))
        while True:
            connection.sendall(b"X-More: 1\r\n")
            time.sleep(0.01)
    connection.sendall(answer(path))


def serve(connection):
    try:
        if "tls" in options:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem"))
            connection = context.wrap_socket(connection, server_side=True)
        (mail if "script" in options else web)(connection)
    except OSError:
        pass
    finally:
        connection.close()


def accept(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
sys.stdin.read()
os._exit(0)
