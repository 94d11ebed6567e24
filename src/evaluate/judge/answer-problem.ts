import { isObject } from '../../contract/is-object.ts';

/** Names by which gateways pass on that a model was stopped, in lower case. */
const TRUNCATED: ReadonlySet<string> = new Set(['max_tokens', 'max_output_tokens', 'model_length', 'length']);
const FILTERED: ReadonlySet<string> = new Set([
  'safety',
  'recitation',
  'blocklist',
  'prohibited_content',
  'spii',
  'content_filter',
  'content_filtered',
  'guardrail_intervened',
]);

/**
 * Returns why the text of a response may be no answer, for reasons that the same request would meet again, and what to change; null
 * if the response says nothing of the kind. `finish`: why the model stopped, as the package that calls the endpoint names it.
 */
export function answerProblem(
  { finish, text, reasoning }: { finish: string; text: string; reasoning: string },
  body: unknown,
): string | null {
  const named = finishNamed(body);
  if (named === 'model_context_window_exceeded')
    return 'the response was truncated at the end of the context of the model; use a judge with a larger one';
  if (finish === 'length' || TRUNCATED.has(named))
    return text.trim() === '' && reasoning !== ''
      ? 'the response was truncated at the limit of tokens while the model was still reasoning; raise maxOutputTokens of the judge, or let the model reason less'
      : 'the response was truncated at the limit of tokens; raise maxOutputTokens of the judge';
  const words = declineOf(body);
  if (words !== null) return `the model declined to answer${words && `: ${words.slice(0, 200)}`}`;
  if (finish === 'content-filter' || FILTERED.has(named))
    return 'the content filter of the endpoint blocked the response; use a judge whose filter allows the judged texts';
  if (finish === 'tool-calls')
    return 'the model called a tool in place of an answer; set structuredOutput of the judge to "json_object" or "text"';
  if (text.trim() === '' && reasoning !== '')
    return 'the response contains only reasoning and no answer; switch off the reasoning of the model, or use an endpoint that separates the two';
  return null;
}

/** Returns why the model stopped, as the body names it, in lower case; empty if it does not. */
function finishNamed(body: unknown): string {
  if (!isObject(body)) return '';
  const [choice] = Array.isArray(body['choices']) ? (body['choices'] as unknown[]) : [];
  const named = isObject(choice) ? choice['finish_reason'] : body['stop_reason'];
  return typeof named === 'string' ? named.toLowerCase() : '';
}

/** Returns the words by which the model declines, which may be empty; null when it does not. */
function declineOf(body: unknown): string | null {
  if (!isObject(body)) return null;
  if (body['stop_reason'] === 'refusal') return '';
  const [choice] = Array.isArray(body['choices']) ? (body['choices'] as unknown[]) : [];
  const message = isObject(choice) ? choice['message'] : undefined;
  const words = isObject(message) ? message['refusal'] : undefined;
  return typeof words === 'string' && words !== '' ? words : null;
}
