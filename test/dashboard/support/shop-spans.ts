/** Spans of a support bot, as its OpenTelemetry SDK would send them. Always the same ones for a seed. */
import { seededBytes, seededRandom } from '../../../bench/seeded.ts';

export interface ShopTrace {
  /** The 32 hex digits of OpenTelemetry. */
  otelTraceId: string;
  request: object;
}

interface SpanOptions {
  name: string;
  parent?: string;
  start: number;
  duration: number;
  attributes: Readonly<Record<string, string | number>>;
  error?: string;
}

const QUESTIONS: readonly (readonly [name: string, input: string, output: string])[] = [
  [
    'answer a customer',
    'I want my money back',
    'You can get a refund within 30 days. Shall I start it for order 4711?',
  ],
  [
    'answer a customer',
    'Where is my parcel 4711?',
    'It left the depot at 09:12 and arrives today before 18:00.',
  ],
  ['extract invoice', '[image, 1.2 MB]', '{"total": 119.00, "currency": "EUR", "lines": 3}'],
  [
    'answer a customer',
    'Can I change the delivery address?',
    'Yes, until the parcel leaves the depot. Where should it go?',
  ],
  [
    'nightly summary',
    '{"day":"2026-11-21"}',
    '312 conversations, 9 complaints; most of them about late parcels.',
  ],
];
const MODELS = ['gpt-5.4-mini', 'gpt-5.4', 'claude-opus-5'];
const TOOLS = ['find_parcel', 'lookup_customer', 'refund', 'get_policy'];

/** Makes a trace that began at `at`, in Unix milliseconds. With `testId`, it belongs to a test. */
export function shopTrace(seed: number, at: number, { testId }: { testId?: string } = {}): ShopTrace {
  const random = seededRandom(seed);
  const hex = (bytes: number): string => seededBytes(random, 16).subarray(0, bytes).toString('hex');
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const otelTraceId = hex(16);
  const [name, input, output] = pick(QUESTIONS);
  const calls = 1 + Math.floor(random() * 4);
  const hasError = random() < 0.12;
  const spans: object[] = [];
  const add = ({ name: title, parent, start, duration, attributes, error }: SpanOptions): string => {
    const spanId = hex(8);
    spans.push({
      traceId: otelTraceId,
      spanId,
      ...(parent !== undefined && { parentSpanId: parent }),
      name: title,
      kind: 1,
      startTimeUnixNano: `${start}000000`,
      endTimeUnixNano: `${start + duration}000000`,
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
      })),
      status: error === undefined ? {} : { code: 2, message: error },
    });
    return spanId;
  };

  const durations = Array.from({ length: calls }, () => 200 + Math.floor(random() ** 3 * 4_000));
  const total = durations.reduce((sum, one) => sum + one + 90, 40);
  const root = add({
    name,
    start: at,
    duration: total,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.input.messages': message('user', input),
      'gen_ai.output.messages': message('assistant', output),
      'session.id': `session-${seed % 17}`,
      'user.id': `customer-${seed % 11}`,
      ...(testId !== undefined && { 'service.test.id': testId }),
    },
  });
  let start = at + 20;
  for (const [index, duration] of durations.entries()) {
    const model = pick(MODELS);
    add({
      name: `chat ${model}`,
      parent: root,
      start,
      duration,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': model.startsWith('gpt') ? 'openai' : 'anthropic',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 300 + Math.floor(random() * 4_000),
        'gen_ai.usage.output_tokens': 20 + Math.floor(random() * 600),
        'gen_ai.input.messages': message('user', input),
        'gen_ai.output.messages': message('assistant', output),
      },
    });
    const tool = pick(TOOLS);
    add({
      name: `execute_tool ${tool}`,
      parent: root,
      start: start + duration,
      duration: 80,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool },
      ...(hasError && index === 0 && { error: 'upstream answered 503' }),
    });
    start += duration + 90;
  }
  const resource = {
    attributes: [
      { key: 'service.name', value: { stringValue: 'support-bot' } },
      {
        key: 'deployment.environment.name',
        value: { stringValue: seed % 3 === 0 ? 'staging' : 'production' },
      },
    ],
  };
  return { otelTraceId, request: { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] } };
}

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
