"""An app without any package that is tested by webhook."""

import json
import os
import urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 1_048_576


def answer(question: str) -> str:
    """Stands for your app."""
    return "Paris" if "France" in question else "I do not know"


def touchstone(path: str, body: bytes) -> dict:
    request = urllib.request.Request(
        os.environ["TOUCHSTONE_URL"] + path,
        data=body,
        headers={
            "content-type": "application/json",
            "x-api-key": os.environ["TOUCHSTONE_API_KEY"],
            "x-application-id": os.environ["TOUCHSTONE_APPLICATION_ID"],
        },
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def is_from_touchstone(signature: str, timestamp: str, raw: bytes) -> bool:
    """Asks the server. The body goes on as it came: parsed and written again it may be another one."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15):
        return False
    head = b'{"signature":%b,"timestamp":%d,"body":' % (json.dumps(signature).encode(), int(timestamp))
    return touchstone("/v0/validate-webhook", head + raw + b"}")["valid"]


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run(test: dict) -> None:
    """Runs the app and sends what it did as the trace of the test."""
    started = now()
    prompt = test["prompt"]
    text = answer(prompt)
    events = [
        {"type": "trace", "testId": test["testId"], "timestamp": started, "input": prompt, "output": text},
        {
            "type": "llm",
            "event": "end",
            "timestamp": now(),
            "modelId": "gpt-5-mini",
            "input": prompt,
            "output": text,
            "usage": {"promptTokens": 14, "completionTokens": 1},
        },
    ]
    results = touchstone("/v0/ingest", json.dumps({"events": events}).encode())["data"]
    if not all(result["success"] for result in results):
        raise RuntimeError(f"events were refused: {results}")


class Handler(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self) -> None:
        self.send_response(self.handle_post())
        self.send_header("content-length", "0")
        self.end_headers()

    def handle_post(self) -> int:
        """Gives back a status: anything but 200 says that the test has failed."""
        length = self.headers.get("content-length", "")
        if self.path != "/touchstone":
            return 404
        if not length.isdigit():
            return 411
        if int(length) > MAX_BODY:
            return 413
        raw = self.rfile.read(int(length))
        try:
            test = json.loads(raw)
        except ValueError:
            return 400
        try:
            signature = self.headers.get("x-service-signature", "")
            timestamp = self.headers.get("x-service-timestamp", "")
            if not is_from_touchstone(signature, timestamp, raw):
                return 401
            run(test)
            return 200
        except Exception as error:
            self.log_error("the test failed: %s", error)
            return 500


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Handler)
    print(f"listens on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
