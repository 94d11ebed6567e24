import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Reads a delivery, and returns the test it is of with the OTLP body by which an app reports its answer. */
export async function answerTo(
  delivery: IncomingMessage,
  output: string | ((prompt: string) => string),
): Promise<{ testId: string; body: object }> {
  const { testId, prompt } = JSON.parse(await text(delivery)) as { testId: string; prompt: string };
  const stringValue = typeof output === 'string' ? output : output(prompt);
  const [, traceId, parentSpanId] = String(delivery.headers['traceparent']).split('-');
  const times = { startTimeUnixNano: '1800000000000000000', endTimeUnixNano: '1800000000100000000' };
  const attributes = [
    { key: 'service.test.id', value: { stringValue: testId } },
    { key: 'input.value', value: { stringValue: 'Capital of France?' } },
    { key: 'output.value', value: { stringValue } },
  ];
  const spanId = testId.replaceAll('-', '').slice(0, 16);
  const span = { traceId, parentSpanId, spanId, name: 'answer', ...times, attributes };
  return { testId, body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] } };
}
