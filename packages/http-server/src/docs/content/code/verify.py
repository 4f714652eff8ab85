import hashlib
import hmac
import time


# `body` is the raw bytes of the request; `headers` has lower-case names.
def verify(secret, headers, body, now=None):
    timestamp = headers.get("x-webhook-timestamp", "")
    if not timestamp.isdigit():
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    given = [
        headers.get("x-webhook-signature", ""),
        headers.get("x-webhook-signature-previous", ""),
    ]
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in given)
