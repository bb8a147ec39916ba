"""A mail server for tests: prints its port, writes each message it took as a line of JSON, ends with its standard input."""
import asyncio
import base64
import json
import os
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult

options = json.loads(sys.argv[1])
folder = options["folder"]


class Handler:
    tries = {}

    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        session.messages = getattr(session, "messages", 0) + 1
        if session.messages > options.get("most", session.messages):
            return "421 4.7.0 too many messages on one connection"
        envelope.mail_from = address
        envelope.mail_options.extend(mail_options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        for word, reply in options.get("refuse", {}).items():
            if word in address:
                return reply
        # The first tries for such an address are put off.
        for word, times in options.get("greylist", {}).items():
            if word in address and self.tries.get(address, 0) < times:
                self.tries[address] = self.tries.get(address, 0) + 1
                return "451 4.7.1 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        record = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "options": envelope.mail_options,
            "data": base64.b64encode(envelope.original_content).decode(),
            "connection": session.peer[1],
            "tls": server.transport.get_extra_info("ssl_object") is not None,
            "user": (session.auth_data or b"").decode() if session.authenticated else None,
        }
        with open(os.path.join(folder, "records"), "a") as log:
            log.write(json.dumps(record) + "\n")
        return options.get("answer", "250 OK")


def authenticate(server, session, envelope, mechanism, data):
    known = data.login == b"desk" and data.password == "pässword".encode()
    return AuthResult(success=known, handled=False, auth_data=data.login)


def make():
    more = {}
    if options.get("tls") == "offered" or options.get("tls") == "required":
        more["tls_context"] = context()
        more["require_starttls"] = options["tls"] == "required"
    if options.get("auth"):
        more.update(authenticator=authenticate, auth_required=True, auth_require_tls=options["auth"] == "tls")
    return SMTP(Handler(), hostname="localhost", enable_SMTPUTF8=bool(options.get("utf8")), **more)


def context():
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem"))
    return made


async def serve():
    wrapped = context() if options.get("tls") == "wrapped" else None
    loop = asyncio.get_running_loop()
    server = await loop.create_server(make, "127.0.0.1", options.get("port", 0), ssl=wrapped)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


def watch():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=watch, daemon=True).start()
asyncio.run(serve())
