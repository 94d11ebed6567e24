#!/usr/bin/env bash
# From a CSV file with expected values to the exit code of a gate. Needs a server and its three variables.
set -eu
touchstone() { ${TOUCHSTONE_COMMAND:-npm start -s --prefix ../.. --} "$@"; }
api() { curl -s --fail-with-body "$TOUCHSTONE_URL$1" -H "x-api-key: $TOUCHSTONE_API_KEY" \
  -H "x-application-id: $TOUCHSTONE_APPLICATION_ID" -H 'content-type: application/json' "${@:2}"; }
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
gate() { touchstone test --tasks "$TASK_ID" --examples all --fail-under 95 && echo 'exit code 0' || echo "exit code $?"; }

echo '1. The app, and where tests are sent'
node app.js &
trap "kill $!" EXIT
api /v0/webhook -d "{ \"url\": \"http://127.0.0.1:${PORT:-8080}/\" }" > /dev/null

echo '2. A task that is judged by what each example expects'
RULE_ID=$(api '/v0/definitions?limit=100' | field 'data.find(({ name }) => name === "Right sum")?.id ?? ""')
[ "$RULE_ID" ] || RULE_ID=$(api /v0/definitions -d '{ "name": "Right sum", "type": "OUTPUT_MATCH", "globalConfig": { "type": "string" } }' | field data.id)
TASK_ID=$(api '/v0/tasks?limit=100' | field 'data.find(({ title }) => title === "Sums")?.id ?? ""')
[ "$TASK_ID" ] || TASK_ID=$(api /v0/tasks -d "{ \"title\": \"Sums\", \"type\": \"STATIC\", \"evalDefinitions\": [{ \"evalDefinitionId\": \"$RULE_ID\" }] }" | field task.id)

echo '3. Fifty examples from a CSV file'
touchstone import "$PWD/questions.csv" --task "$TASK_ID"

echo '4. Verdicts, and the gate: five of fifty differ from what is expected'
gate

echo '5. A person looks at what failed, finds the expected values wrong, and corrects them'
RUN_ID=$(api "/v0/runs?taskId=$TASK_ID&limit=1" | field 'data[0].id')
OWN="({ definition }) => definition.id === '$RULE_ID'"
FAILED=$(api "/v0/evals?runId=$RUN_ID&passed=false&limit=100" | field "data.filter($OWN)"'.map(({ testId, exampleId }) => testId + "," + exampleId).join(" ")')
for BOTH in $FAILED; do
  TEST_ID=${BOTH%,*} EXAMPLE_ID=${BOTH#*,}
  OUTPUT=$(api "/v0/tests/$TEST_ID" | field test.output)
  api "/v0/tasks/$TASK_ID/examples/$EXAMPLE_ID" -X PUT -d "{ \"expected\": \"$OUTPUT\" }" > /dev/null
  echo "corrected: $OUTPUT"
done

echo '6. The same run, judged again by the corrected values'
# Definitions that other examples have linked to the application judge these tests again too.
api "/v0/runs/$RUN_ID/evaluate" -d '{}' > /dev/null
echo "$(echo "$FAILED" | wc -w) evals again"

echo '7. The gate opens'
gate
