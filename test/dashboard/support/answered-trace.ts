/** A trace with a question, a call of a tool and an answer, as OpenTelemetry sends it. */
import { randomBytes } from 'node:crypto';
import type { TestServer } from '../../support/server.ts';

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** Stores a trace with this answer; returns its id. */
export async function storeAnswer(
  server: TestServer,
  output: string,
  input = 'My kettle leaks',
): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const [root, call, tool] = [1, 2, 3].map(() => randomBytes(8).toString('hex'));
  const at = Date.now() - 10_000;
  const texts = {
    'gen_ai.input.messages': message('user', input),
    'gen_ai.output.messages': message('assistant', output),
  };
  const span = (spanId: string | undefined, name: string, attributes: Record<string, string>) => ({
    traceId,
    spanId,
    ...(spanId !== root && { parentSpanId: root }),
    name,
    kind: 1,
    startTimeUnixNano: `${at}000000`,
    endTimeUnixNano: `${at + (spanId === root ? 3_000 : 1_000)}000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  });
  const spans = [
    span(root, 'answer a customer', { 'gen_ai.operation.name': 'invoke_agent', ...texts }),
    span(tool, 'issue_refund', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'issue_refund',
      'gen_ai.tool.call.arguments': '{"order":"5512-B","amount":49.9}',
      'gen_ai.tool.call.result': '{"error":"order not delivered yet","hotline":"0800 4711"}',
    }),
    span(call, 'chat gpt-5.4-mini', { 'gen_ai.operation.name': 'chat', ...texts }),
  ];
  const { status, text } = await server.call('POST', '/v1/traces', {
    body: { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] },
  });
  if (status !== 200) throw new Error(`POST /v1/traces: ${status} ${text}`);
  return traceId;
}
