/** Schemas of the details of steps, for the API document: a value of another type never rejects a step. */
import { z } from 'zod';

const described = (type: string | string[], description: string) =>
  z.unknown().optional().meta({ type, description });

const durationInMs = described(
  'number',
  'Milliseconds. The `timestamp` of an `llm` end is its end, of all others the start.',
);
const ANY = ['string', 'object', 'array'];
export const stepDetails = {
  durationMs: durationInMs,
  endTime: described('string', 'Time of the end, in the forms of `timestamp`.'),
  status: described('string', '`success`, `error`, `timeout` or `pending`.'),
  statusCode: described(['string', 'number'], 'Status code.'),
  error: described(
    'string',
    'Message of the error, which makes the step a failed one unless its `status` is `success`.',
  ),
  costAmount: described('number', 'Cost in US dollars.'),
};
export const guardrailDetails = {
  guardrailAction: described('string', 'What the guardrail did.'),
  guardrailTriggered: described('boolean', 'True if the guardrail was triggered.'),
  guardrailType: described('string', 'Type of the guardrail.'),
};
export const evaluatorDetails = {
  evaluatorName: described('string', 'Name of the evaluator.'),
  evaluationScore: described('number', 'Score.'),
  evaluationLabel: described('string', 'Label.'),
  evaluationExplanation: described(ANY, 'Explanation.'),
};
export const finishReason = described('string', 'Reason why the model stopped.');
export const toolCallId = described('string', 'Id of the tool call in the response of the model.');
