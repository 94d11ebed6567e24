import { describe, expect, it } from 'vitest';
import { RULE_SET_VERSION } from '../../src/traces/conventions/rule-set.ts';
import { MS, type SpanSpec, spanHex, traceBytes, uuid } from '../support/spans.ts';
import { useStore } from '../support/storage.ts';

const { newTenant } = useStore();
const trace = (specs: SpanSpec[]) => {
  const tenant = newTenant();
  tenant.store(specs);
  return tenant.read(1) ?? {};
};
const usage = (promptTokens: number, completionTokens: number) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

describe('readTrace', () => {
  it('shows everything about a trace', () => {
    const tenant = newTenant();
    tenant.store([
      {
        id: 1,
        name: 'answer',
        end: 90 * MS,
        attributes: {
          'openinference.span.kind': 'CHAIN',
          'input.value': '{"question":"?"}',
          'input.mime_type': 'application/json',
          'output.value': 'an answer',
          'session.id': 's',
          'user.id': 'u',
          metadata: '{"release":"1"}',
          'service.test.id': uuid(1),
        },
      },
      {
        id: 2,
        parent: 1,
        name: 'chat m',
        start: 10 * MS,
        end: 40.5 * MS,
        status: 2,
        message: 'too long',
        attributes: {
          'llm.model_name': 'm',
          'input.value': 'prompt',
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 3,
          'gen_ai.usage.cost': 0.25,
          temperature: 1,
        },
      },
    ]);
    const id = '00000000-0000-8000-8000-000000000001';
    expect(tenant.read(1)).toEqual({
      id,
      orgId: 'organisation',
      applicationId: `application-${tenant.application}`,
      createdAt: '2026-01-01T00:00:00.000Z',
      modifiedAt: '2026-01-01T00:00:00.000Z',
      timestamp: '2026-01-01T00:00:00.000Z',
      testId: uuid(1),
      testIds: [uuid(1)],
      otelTraceId: traceBytes(1).toString('hex'),
      rootName: 'answer',
      services: ['app'],
      sessionId: 's',
      userId: 'u',
      models: ['m'],
      environment: null,
      tags: [],
      ruleSet: RULE_SET_VERSION,
      usage: usage(10, 3),
      cost: 0.25,
      costEstimated: false,
      durationMs: 90,
      spanCount: 2,
      errorCount: 1,
      hasError: true,
      stepCount: 2,
      totalPromptTokens: 10,
      totalCompletionTokens: 3,
      totalCost: 0.25,
      totalDurationMs: 90,
      metadata: { release: '1' },
      input: { question: '?' },
      output: 'an answer',
      inputSpanId: spanHex(1),
      outputSpanId: spanHex(1),
      flags: [],
      stepsTruncated: false,
      steps: [
        {
          type: 'group',
          id: spanHex(1),
          traceId: id,
          name: 'answer',
          timestamp: '2026-01-01T00:00:00.000Z',
          endTime: '2026-01-01T00:00:00.090Z',
          durationMs: 90,
          status: 'success',
          key: spanHex(1),
          input: '{"question":"?"}',
          output: 'an answer',
          metadata: { release: '1' },
        },
        {
          type: 'llm',
          event: 'end',
          id: spanHex(2),
          traceId: id,
          parentId: spanHex(1),
          name: 'chat m',
          timestamp: '2026-01-01T00:00:00.010Z',
          endTime: '2026-01-01T00:00:00.040500000Z',
          durationMs: 31,
          status: 'error',
          error: 'too long',
          modelId: 'm',
          input: 'prompt',
          cost: 0.25,
          costAmount: 0.25,
          usage: usage(10, 3),
          metadata: { temperature: 1 },
        },
      ],
    });
  });

  it('is found by its key alone, and is nothing for one that was not sent', () => {
    const tenant = newTenant();
    tenant.store([{ trace: 1, id: 1 }]);
    expect(tenant.read(2)).toBeNull();
  });

  it('takes input and output of the trace from the root-most spans that have any', () => {
    const llm = { 'llm.model_name': 'm' };
    expect(
      trace([
        { id: 1 },
        {
          id: 2,
          parent: 1,
          start: 2 * MS,
          attributes: { ...llm, 'input.value': 'second', 'output.value': 'first' },
        },
        {
          id: 3,
          parent: 1,
          start: 1 * MS,
          attributes: { ...llm, 'input.value': 'first', 'output.value': 'gone' },
        },
        {
          id: 4,
          parent: 1,
          end: 90 * MS,
          attributes: { 'openinference.span.kind': 'TOOL', 'output.value': 'tool' },
        },
      ]),
    ).toMatchObject({ input: 'first', inputSpanId: spanHex(3), output: 'first', outputSpanId: spanHex(2) });
    expect(trace([{ id: 1 }])).toMatchObject({
      input: null,
      inputSpanId: null,
      output: null,
      outputSpanId: null,
    });
  });

  it.each<[what: string, attributes: object, cost: number | null]>([
    ['a cost that was sent', { 'gen_ai.usage.cost': 0.5 }, 0.5],
    ['a cost of 0 that was sent', { 'gen_ai.usage.cost': 0 }, 0],
    ['a price of 0', { 'gen_ai.request.model': 'openai/gpt-oss-120b:free' }, 0],
    ['no cost and no price', {}, null],
  ])('reports %s', (_what, attributes, cost) => {
    const tokens = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 3 };
    const read = trace([{ id: 1, attributes: { 'gen_ai.request.model': 'm', ...tokens, ...attributes } }]);
    expect(read).toMatchObject({ cost });
    const [step] = (read as { steps: { cost?: number }[] }).steps;
    expect(step?.cost).toBe(cost ?? undefined);
  });

  it('flags orphans, cycles and clocks that disagree', () => {
    expect(trace([{ id: 1, parent: 9 }])).toMatchObject({ flags: ['orphans'] });
    expect(
      trace([
        { id: 1, parent: 2 },
        { id: 2, parent: 1 },
      ]),
    ).toMatchObject({ flags: ['cycle'] });
    expect(
      trace([
        { id: 1, start: 50 * MS },
        { id: 2, parent: 1, start: 10 * MS },
      ]),
    ).toMatchObject({ flags: ['skew'] });
    expect(trace([{ id: 1, start: 5 * MS, end: 3 * MS }])).toMatchObject({ flags: ['skew'], durationMs: 0 });
  });

  it('shows at most a thousand steps, root-most first, and says that there are more', () => {
    const specs = Array.from(
      { length: 1_500 },
      (_, i): SpanSpec => ({ id: i + 1, start: i, ...(i > 0 ? { parent: Math.ceil(i / 2) } : {}) }),
    );
    const { steps, stepsTruncated, spanCount } = trace(specs) as {
      steps: { id: string }[];
      stepsTruncated: boolean;
      spanCount: number;
    };
    expect([stepsTruncated, spanCount]).toEqual([true, 1_500]);
    expect(steps.map(({ id }) => id)).toEqual(specs.slice(0, 1_000).map(({ id }) => spanHex(id)));
  });

  it('shows fewer steps when they are very large', () => {
    const specs = Array.from(
      { length: 6 },
      (_, i): SpanSpec => ({
        id: i + 1,
        start: i,
        attributes: { 'input.value': 'x'.repeat(4 * 1024 * 1024) },
      }),
    );
    const { steps, stepsTruncated } = trace(specs) as { steps: unknown[]; stepsTruncated: boolean };
    expect(stepsTruncated).toBe(true);
    expect(steps.length).toBeLessThan(6);
    expect(steps.length).toBeGreaterThan(3);
  });

  it('opens a chain of 20 000 spans', () => {
    const specs = Array.from(
      { length: 20_000 },
      (_, i): SpanSpec => ({ id: i + 1, start: i, ...(i > 0 ? { parent: i } : {}) }),
    );
    expect(trace(specs)).toMatchObject({ spanCount: 20_000, stepsTruncated: true, flags: [] });
  });

  it('reads a native trace under its own id, with the conversation of its sender', () => {
    const tenant = newTenant();
    const id = '9b2fd5a2-11aa-4b8e-8f0c-6a2e3a8f9d01';
    tenant.store([{ trace: id.replaceAll('-', ''), id: 1, attributes: { 'session.id': 'talk' } }], {
      native: true,
    });
    const found = tenant.read(id.replaceAll('-', ''));
    expect(found).toMatchObject({ id, referenceId: 'talk', sessionId: 'talk' });
    expect(found).not.toHaveProperty('otelTraceId');
  });
});
