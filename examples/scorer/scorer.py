"""A scorer without any package: which numbers of the output occur in what the app has read?"""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 4 * 1_048_576
TOLERANCE_SECONDS = 300
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def score(test: dict) -> dict:
    """Stands for your own measure."""
    numbers = NUMBER.findall(json.dumps(test["output"]))
    if not numbers:
        return {"skip": "the output has no number"}
    known = set(NUMBER.findall(json.dumps([test["input"], test["toolCalls"], test["documents"]])))
    missing = [number for number in numbers if number not in known]
    share = 1 - len(missing) / len(numbers)
    reason = f"{len(numbers) - len(missing)} of {len(numbers)} numbers are in the documents"
    return {"score": share, "reason": reason, "results": {"missing": missing}}


def is_from_touchstone(headers, raw: bytes) -> bool:
    """Checks the signature of Standard Webhooks, over the body as it arrived."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(os.environ["TOUCHSTONE_WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = b"%b.%b.%b" % (headers.get("webhook-id", "").encode(), sent_at.encode(), raw)
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(f"v1,{expected}", one) for one in signatures)


class Handler(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self) -> None:
        status, body = self.handle_post()
        answer = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def handle_post(self) -> tuple:
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            return 413, {"error": "the body is too large"}
        raw = self.rfile.read(int(length))
        if not is_from_touchstone(self.headers, raw):
            return 401, {"error": "the signature is not valid"}
        return 200, score(json.loads(raw))


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Handler)
    print(f"listens on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
