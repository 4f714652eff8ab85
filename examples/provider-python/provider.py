"""A provider in Python, with nothing but its standard library: the provider protocol, version 1.

    TOLEM_PROVIDER_SECRET=… python3 provider.py 4020

It keeps everything in memory and moves no money. What a real one would ask its bank, this one looks up in `payments`.
"""

import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

SECRET = os.environ.get("TOLEM_PROVIDER_SECRET", "")
CASHIERS = ["77010000001", "77010000002"]
CODE = "1111"
# Not said here: everything else it can do.
CAN = {"push": False, "showScans": False, "endLogins": False}

logins, sessions, payments = {}, {}, {}
lock = threading.Lock()
clock_ahead_ms = 0


class Refused(Exception):
    def __init__(self, status, error):
        self.status, self.error = status, error


def now():
    return int(time.time() * 1000) + clock_ahead_ms


def text(body, name):
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise Refused(422, "invalid")
    return value


def amount(body):
    value = body.get("amount")
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise Refused(422, "invalid")
    return value


def shown(payment):
    own = ("reference", "ours", "amount", "qrUrl", "deepLink", "expiresAt", "state", "receipt", "refunds")
    return {**{name: payment[name] for name in own}, "statusText": payment["state"]}


def own(cashier, name, value):
    for payment in payments.values():
        if payment["cashier"] == cashier and payment[name] == value:
            return payment
    raise Refused(404, "not_found")


def begin_login():
    process = f"login-{len(logins) + 1}"
    logins[process] = None
    return {"processId": process, "expiresAt": now() + 600_000}


def process_of(body):
    process = text(body, "processId")
    if process not in logins:
        raise Refused(409, "process_expired")
    return process


def send_phone(body):
    process, phone = process_of(body), text(body, "phone")
    if phone not in CASHIERS:
        raise Refused(409, "number_rejected")
    logins[process] = phone
    return {}


def verify_code(body):
    process = process_of(body)
    if text(body, "code") != CODE or logins[process] is None:
        raise Refused(409, "wrong_code")
    session = os.urandom(16).hex()
    sessions[session] = logins[process]
    return {"session": session}


def create(cashier, body):
    ours, asked = text(body, "ours"), amount(body)
    if body.get("phone") is not None:
        raise Refused(501, "invalid")
    for payment in payments.values():
        if payment["cashier"] == cashier and payment["ours"] == ours:
            if payment["amount"] != asked:
                raise Refused(409, "reference_used")
            return shown(payment)
    reference = f"py-{len(payments) + 1}"
    payments[reference] = {
        "reference": reference,
        "cashier": cashier,
        "ours": ours,
        "amount": asked,
        "qrUrl": f"https://bank.example/pay/{reference}",
        "deepLink": f"https://bank.example/open/{reference}",
        "expiresAt": now() + 180_000,
        "state": "waiting",
        "receipt": None,
        "refunds": [],
    }
    return shown(payments[reference])


def refund(cashier, reference, body):
    payment, ours, asked = own(cashier, "reference", reference), text(body, "ours"), amount(body)
    for other in payments.values():
        for made in other["refunds"]:
            if other["cashier"] == cashier and made["ours"] == ours:
                if other is not payment or made["amount"] != asked:
                    raise Refused(409, "reference_used")
                return made
    return give_back(payment, asked, ours)


def give_back(payment, asked, ours):
    left = payment["amount"] - sum(made["amount"] for made in payment["refunds"])
    if payment["state"] != "paid" or asked > left:
        raise Refused(409, "not_refundable")
    reference = f"{payment['reference']}-back-{len(payment['refunds']) + 1}"
    made = {"reference": reference, "ours": ours, "amount": asked, "at": now()}
    payment["refunds"].append(made)
    return made


def find_refund(cashier, ours):
    for payment in payments.values():
        for made in payment["refunds"]:
            if payment["cashier"] == cashier and made["ours"] == ours:
                return made
    raise Refused(404, "not_found")


def control(path, body):
    """What a check steers the provider with. A real provider has this in its test environment only."""
    global clock_ahead_ms
    if path == []:
        parts = ["refundOutside", "loseSessions", "passTime"]
        return {"cashiers": CASHIERS, "codes": {"right": CODE, "wrong": "2222"}, "parts": parts}
    if path == ["sessions", "lose"]:
        sessions.clear()
    elif path == ["clock"]:
        clock_ahead_ms += body["advanceMs"]
    elif len(path) == 3 and path[0] == "payments" and path[1] in payments:
        payment, does = payments[path[1]], path[2]
        if does == "refund":
            give_back(payment, amount(body), None)
        elif does == "pay":
            payment["state"] = "paid"
            payment["receipt"] = {
                "at": now(),
                "reference": f"{path[1]}-paid",
                "amount": payment["amount"],
                "number": None,
                "url": None,
            }
        elif does != "scan":
            payment["state"] = {"refuse": "refused_by_payer", "fail": "failed", "expire": "expired"}[does]
    else:
        raise Refused(404, "not_found")
    return {}


def answer(method, path, headers, body):
    if SECRET and not hmac.compare_digest(headers.get("x-api-key", "").encode(), SECRET.encode()):
        raise Refused(401, "secret_rejected")
    if path[0] == "control":
        return control(path[1:], body)
    call = (method, *path[1:])
    if call == ("GET",):
        return {"protocol": "tolem-provider", "versions": [1], "name": "Python", "can": CAN}
    if call == ("POST", "login"):
        return begin_login()
    if call == ("POST", "login", "phone"):
        return send_phone(body)
    if call == ("POST", "login", "code"):
        return verify_code(body)
    cashier = sessions.get(headers.get("authorization", "").removeprefix("Bearer "))
    if cashier is None:
        raise Refused(401, "session_lost")
    match call:
        case ("GET", "session"):
            return {}
        case ("POST", "payments"):
            return create(cashier, body)
        case ("GET", "payments", reference):
            return shown(own(cashier, "reference", reference))
        case ("GET", "orders", ours):
            return shown(own(cashier, "ours", ours))
        case ("POST", "payments", reference, "refunds"):
            return refund(cashier, reference, body)
        case ("GET", "refunds", ours):
            return find_refund(cashier, ours)
    # What is denied in CAN, and what there is not.
    raise Refused(501, "other")


class Provider(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_call(self):
        path = [unquote(part) for part in self.path.strip("/").split("/")]
        raw = self.rfile.read(min(int(self.headers.get("content-length") or 0), 262_144))
        status = 200
        try:
            body = json.loads(raw or b"{}")
            if not isinstance(body, dict):
                raise ValueError
            # One after the other: so that two creates of one id make one payment.
            with lock:
                result = answer(self.command, path, self.headers, body)
        except Refused as refusal:
            status = refusal.status
            result = {"error": refusal.error, "retryable": False, "message": None}
        except ValueError:
            status, result = 422, {"error": "invalid", "retryable": False, "message": None}
        sent = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = handle_call

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # Connections that wait to be taken: the usual five are too few for calls at once.
    request_queue_size = 128
    daemon_threads = True


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1])), Provider)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
