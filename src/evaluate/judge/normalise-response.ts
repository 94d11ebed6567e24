import { isObject } from '../../contract/is-object.ts';

type Members = Record<string, unknown>;

/** Response of an endpoint as the format of its API requires it; `status` is that of an error inside a 200. */
export interface Normalised {
  status: number;
  body: string;
}

/** Status of an error inside a 200 that names none: the endpoint failed. */
const FAILED = 502;
const RATE_LIMITED = 429;

/**
 * Converts a response of 200 to the format that the endpoint promises, where it deviates in a way that leaves no doubt: an error
 * in place of a response, a content that is an object, usage that is partly null, embeddings in another order.
 */
export function normaliseResponse(text: string): Normalised {
  const body = parsed(text);
  if (!isObject(body)) return { status: 200, body: text };
  const error = errorOf(body);
  if (error !== null) return { status: statusOf(error), body: JSON.stringify({ ...body, error }) };
  const changed = changedBody(body);
  return { status: 200, body: changed === body ? text : JSON.stringify(changed) };
}

/** Returns the error of a response that has nothing else, with a message; null when there is none. */
function errorOf(body: Members): (Members & { message: string }) | null {
  const [choice] = Array.isArray(body['choices']) ? (body['choices'] as unknown[]) : [];
  const inChoice = isObject(choice) && !hasContent(choice) ? choice['error'] : undefined;
  const hasResult = isObject(choice) || Array.isArray(body['data']) || Array.isArray(body['content']);
  const error = hasResult ? inChoice : (body['error'] ?? (isErrorItself(body) ? body : undefined));
  if (typeof error === 'string' && error !== '') return { message: error };
  if (!isObject(error)) return null;
  const { message } = error;
  return { ...error, message: typeof message === 'string' ? message : JSON.stringify(error) };
}

/** Reports whether a body without a result is an error: `{"code":429,"message":…}` or `{"object":"error",…}`. */
const isErrorItself = (body: Members): boolean =>
  typeof body['message'] === 'string' &&
  (body['object'] === 'error' ||
    body['type'] === 'error' ||
    [body['code'], body['status'], body['status_code']].some((one) => Number(one) >= 400));

const hasContent = ({ message }: Members): boolean =>
  isObject(message) &&
  message['content'] !== null &&
  message['content'] !== '' &&
  message['content'] !== undefined;

function statusOf(error: Members): number {
  for (const key of ['code', 'status', 'status_code', 'http_status']) {
    const status = Number(error[key]);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  const words = `${String(error['type'])} ${String(error['code'])} ${String(error['status'])} ${String(error['message'])}`;
  return /rate.?limit|too many requests|resource_exhausted|overloaded/i.test(words) ? RATE_LIMITED : FAILED;
}

function changedBody(body: Members): Members {
  let changed = body;
  const { choices, usage, data } = body;
  if (Array.isArray(choices) && choices.some((choice) => isObject(choice) && hasOtherContent(choice)))
    changed = { ...changed, choices: choices.map((choice: unknown) => withText(choice)) };
  if (isObject(usage) && isPartlyUnknown(usage, body)) changed = { ...changed, usage: null };
  if (Array.isArray(data) && data.every(isIndexed) && !data.every(({ index }, place) => index === place))
    changed = { ...changed, data: data.toSorted((one, other) => one.index - other.index) };
  return changed;
}

const isIndexed = (item: unknown): item is { index: number } =>
  isObject(item) && typeof item['index'] === 'number';

/** Reports whether a usage lacks a number that a cost is computed from. */
function isPartlyUnknown(usage: Members, { choices, data, content }: Members): boolean {
  const isUnknown = (key: string): boolean => typeof usage[key] !== 'number';
  if (Array.isArray(choices)) return isUnknown('prompt_tokens') || isUnknown('completion_tokens');
  if (Array.isArray(data)) return isUnknown('prompt_tokens');
  return Array.isArray(content) && (isUnknown('input_tokens') || isUnknown('output_tokens'));
}

const hasOtherContent = ({ message }: Members): boolean => {
  if (!isObject(message)) return false;
  const { content, tool_calls: calls } = message;
  return (
    (typeof content === 'object' && content !== null) ||
    (!content && Array.isArray(calls) && calls.length > 0)
  );
};

/** Returns a choice whose content is text: of its parts, of an object, or of the arguments of its tool call. */
function withText(choice: unknown): unknown {
  if (!isObject(choice) || !isObject(choice['message']) || !hasOtherContent(choice)) return choice;
  const { content, tool_calls: calls, ...message } = choice['message'];
  const text = content ? textOf(content) : argumentsOf(calls);
  return {
    ...choice,
    // Some endpoints say that the model stopped, whatever it did.
    ...(!content && { finish_reason: 'tool_calls' }),
    message: { ...message, content: text },
  };
}

function textOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
  return texts.length > 0 || (Array.isArray(content) && content.length === 0)
    ? texts.join('')
    : JSON.stringify(content);
}

function argumentsOf(calls: unknown): string {
  const [call] = Array.isArray(calls) ? (calls as unknown[]) : [];
  const given = isObject(call) && isObject(call['function']) ? call['function']['arguments'] : undefined;
  return typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
