"""Scores and judgements of users, against a real server."""

from __future__ import annotations

import json
import subprocess
import sys

from conftest import Application

APP = """
import json, sys
from touchstone_otel import current_span_id, current_trace_id, feedback, observe, register, score

touchstone = register()

@observe(output=lambda _: "Paris")
def answer(question):
    score("relevance", 0.75, label="relevant", explanation="It answers.")
    score("polite", True)
    score("tone", "friendly")
    return current_trace_id(), current_span_id()

trace_id, span_id = answer("Of France?")
score("later", 0.5, trace_id=trace_id, span_id=span_id)
score("nowhere", 1)
feedback(False, trace_id=trace_id, comment="Wrong", user="customer-7", corrected_output={"city": "Lyon"})
feedback(True, trace_id=trace_id)
feedback(True)
touchstone.flush()
print(trace_id)
"""


def test_scores_belong_to_spans_and_judgements_are_annotations(own_application: Application):
    done = subprocess.run(
        [sys.executable, "-c", APP], env=own_application.environment, capture_output=True, text=True, timeout=120
    )
    trace_id = done.stdout.strip()
    assert done.returncode == 0 and len(trace_id) == 32, done.stderr
    assert "score() was called outside of a span and without a valid trace_id" in done.stderr
    spans = own_application.call(f"/v0/traces/{trace_id}/spans?include=payload")["data"]
    scores = {span["name"]: span["mapped"]["fields"]["evaluations"]["value"] for span in spans}
    assert scores == {
        "answer": [
            {"name": "relevance", "score": 0.75, "label": "relevant", "explanation": "It answers."},
            {"name": "polite", "score": 1, "label": "true"},
            {"name": "tone", "label": "friendly"},
        ],
        "score later": [{"name": "later", "score": 0.5}],
    }
    assert own_application.call(f"/v0/traces/{trace_id}")["data"]["output"] == "Paris"
    annotations = own_application.call(f"/v0/human-annotations?traceId={trace_id}")["data"]
    parts = [(one["verdict"], one["critique"], json.dumps(one["correctedOutput"])) for one in annotations]
    assert sorted(parts) == [
        (False, "Negative feedback of a user. Wrong", '{"city": "Lyon"}'),
        (True, None, "null"),
    ]
    assert [one["annotatorId"] for one in annotations if not one["verdict"]] == ["customer-7"]


LOST = """
from touchstone_otel import feedback, register

touchstone = register(api_key="sk_wrong")
feedback(True, trace_id="1" * 32)
feedback(True)
touchstone.shutdown()
print(touchstone.stats().feedback)
"""


def test_what_the_server_rejects_is_counted(own_application: Application):
    done = subprocess.run(
        [sys.executable, "-c", LOST], env=own_application.environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "FeedbackStats(sent=0, failed=2, waiting=0)", done.stderr
    assert "feedback was lost: " in done.stderr
