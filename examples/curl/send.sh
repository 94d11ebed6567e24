#!/usr/bin/env bash
# Sends a trace of a test as OTLP/JSON, another one as native events, and reads the test's trace back.
set -euo pipefail

TRACE_ID=${TEST_ID//-/} # 32 hex digits; any random ones do
NOW=$(date +%s)

api() {
  curl -sS --fail-with-body -w '\n' "$TOUCHSTONE_URL$1" "${@:2}" -H 'content-type: application/json' \
    -H "x-api-key: $TOUCHSTONE_API_KEY" -H "x-application-id: $TOUCHSTONE_APPLICATION_ID"
}

api /v1/traces -d @- <<JSON
{ "resourceSpans": [ {
  "resource": { "attributes": [ { "key": "service.name", "value": { "stringValue": "shell" } } ] },
  "scopeSpans": [ { "spans": [ {
    "traceId": "$TRACE_ID", "spanId": "${TRACE_ID:0:16}", "name": "chat", "kind": 3,
    "startTimeUnixNano": "$((NOW - 2))000000000", "endTimeUnixNano": "${NOW}000000000",
    "attributes": [
      { "key": "service.test.id", "value": { "stringValue": "$TEST_ID" } },
      { "key": "gen_ai.operation.name", "value": { "stringValue": "chat" } },
      { "key": "gen_ai.request.model", "value": { "stringValue": "gpt-5-mini" } },
      { "key": "gen_ai.usage.input_tokens", "value": { "intValue": "12" } },
      { "key": "gen_ai.usage.output_tokens", "value": { "intValue": "1" } },
      { "key": "input.value", "value": { "stringValue": "What is the capital of France?" } },
      { "key": "output.value", "value": { "stringValue": "Paris" } }
    ]
  } ] } ]
} ] }
JSON

api /v0/ingest -d @- <<JSON
{ "events": [ {
  "type": "trace", "testId": "$TEST_ID", "timestamp": "$(date -u +%FT%TZ)",
  "input": "And of Italy?", "output": "Rome"
} ] }
JSON

api "/v0/traces/by-test/$TEST_ID"
