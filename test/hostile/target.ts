/** One application of the server that is attacked, in an organisation of its own, as its clients see it. */
export interface Target {
  port: number;
  headers: Record<string, string>;
  /** Whether attacks are to be smaller, for CI. */
  isShort: boolean;
}

/** Time limit of a call that is measured or repeated, in milliseconds. */
export const TIMEOUT_MS = 10_000;

/** Time limit of a call that prepares something, in milliseconds; long, as attackers have the lowest priority. */
export const PREPARE_TIMEOUT_MS = 120_000;

/** Calls the API; throws on an error status, and when there is no complete response within `timeoutMs`. */
export async function callTarget(
  { port, headers }: Target,
  method: string,
  path: string,
  body?: unknown,
  timeoutMs = PREPARE_TIMEOUT_MS,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...headers,
      prefer: 'return=representation',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 200)}`);
  return text === '' ? undefined : JSON.parse(text);
}

const hex = (digits: number, value: number): string => value.toString(16).padStart(digits, '0');

/** An OTLP/JSON request with spans of one trace; `text` is the output of each. */
export function spansOf(traceId: string, count: number, text: string): object {
  const spans = Array.from({ length: count }, (_, index) => ({
    traceId,
    spanId: `${traceId.slice(0, 8)}${hex(8, index + 1)}`,
    name: index === 0 ? 'chat turn' : 'search',
    startTimeUnixNano: '1800000000000000000',
    endTimeUnixNano: '1800000000100000000',
    ...(index > 0 && { parentSpanId: `${traceId.slice(0, 8)}${hex(8, 1)}` }),
    attributes: [
      { key: 'input.value', value: { stringValue: 'Where is my order?' } },
      { key: 'output.value', value: { stringValue: text } },
    ],
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

/** Creates a task that these definitions judge, and runs tests of it by the webhook at `url`; ids of the tests. */
export async function startTests(
  target: Target,
  url: string,
  definitions: readonly object[],
  count: number,
): Promise<{ taskId: string; testIds: string[] }> {
  await callTarget(target, 'POST', '/v0/webhook', { url });
  const evalDefinitions: { evalDefinitionId: string }[] = [];
  for (const definition of definitions) {
    const { data } = (await callTarget(target, 'POST', '/v0/definitions', definition)) as {
      data: { id: string };
    };
    evalDefinitions.push({ evalDefinitionId: data.id });
  }
  const { task } = (await callTarget(target, 'POST', '/v0/tasks', {
    title: 'Orders',
    type: 'STATIC',
    inputExamples: ['Where is my order?'],
    evalDefinitions,
  })) as { task: { id: string } };
  const started = (await callTarget(target, 'POST', '/v0/tasks/trigger', {
    taskIds: [task.id],
    repeat: count,
  })) as { data: { testIds: string[] }[] };
  return { taskId: task.id, testIds: started.data.flatMap(({ testIds }) => testIds) };
}
