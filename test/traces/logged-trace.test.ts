/** Traces of coding agents, whose spans are bare: what they did is in log records. */
import { beforeEach, describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/filter/parse.ts';
import { finishRefresh, workOutTrace } from '../../src/traces/refresh.ts';
import { BASE_MS, spanHex } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { storeLogRecords } from '../support/stored-logs.ts';

const { newTenant } = useStore();

/** Tokens of one response; its price is in the table. */
const COMPLETED = {
  'event.kind': 'response.completed',
  'conversation.id': 'c-1',
  model: 'gpt-5',
  input_token_count: 1_000,
  output_token_count: 100,
};
const INPUT_PRICE = 1.25;
const OUTPUT_PRICE = 10;
const COST = (1_000 * INPUT_PRICE + 100 * OUTPUT_PRICE) / 1e6;

function refresh(tenant: Tenant, trace = 1): void {
  const { database } = tenant;
  const tkey = tenant.tkey(trace) as number;
  const refreshed = workOutTrace(database, { tkey });
  database.transaction(() => finishRefresh(database, { tkey, asOf: BASE_MS, refreshed }));
}

describe('a trace whose log records have its content', () => {
  let tenant: Tenant;
  beforeEach(() => {
    tenant = newTenant();
    tenant.store([
      { id: 1, name: 'session_task.turn' },
      { id: 2, parent: 1, name: 'stream_request' },
    ]);
    storeLogRecords(tenant, [
      { span: 1, event: 'codex.user_prompt', attributes: { prompt: 'Fix the test' } },
      { span: 2, event: 'codex.sse_event', attributes: COMPLETED },
    ]);
    refresh(tenant);
  });

  it('is listed with the kinds, model, tokens, cost, session and input that they name', () => {
    expect(tenant.read(1)).toMatchObject({
      models: ['gpt-5'],
      sessionId: 'c-1',
      totalPromptTokens: 1_000,
      totalCompletionTokens: 100,
      input: 'Fix the test',
    });
    expect(tenant.read(1)?.['cost']).toBeCloseTo(COST, 12);
    for (const filter of [
      { sessionId: ['c-1'] },
      { kind: ['LLM'] },
      { kind: ['AGENT'] },
      { model: ['gpt-5'] },
    ])
      expect(tenant.list(filter).data).toHaveLength(1);
    expect(tenant.list({ kind: ['TOOL'] }).data).toEqual([]);
  });

  it('is found by a tool that a log record names', () => {
    const found = (line: string): number =>
      tenant.list({ q: { terms: parseFilter(line, 'traces').terms, at: BASE_MS } }).data.length;
    expect(found('tool:shell')).toBe(0);
    const attributes = { tool_name: 'shell', arguments: '{}', output: 'README.md' };
    storeLogRecords(tenant, [{ span: 1, event: 'claude_code.user_prompt', attributes }]);
    expect(found('tool:shell')).toBe(0);
    storeLogRecords(tenant, [{ span: 2, event: 'codex.tool_result', attributes }]);
    expect(found('tool:shell')).toBe(0);
    tenant.store([{ id: 3, parent: 1, name: 'dispatch_tool_call' }]);
    storeLogRecords(tenant, [{ span: 3, event: 'codex.tool_result', attributes }]);
    refresh(tenant);
    expect(found('tool:shell')).toBe(1);
  });

  it('has spans of these kinds, with their tokens and cost', () => {
    expect(tenant.spans(1, { payload: true })?.data).toEqual([
      expect.objectContaining<object>({ id: spanHex(1), kind: 'AGENT' }),
      expect.objectContaining<object>({
        id: spanHex(2),
        kind: 'LLM',
        mapped: expect.objectContaining<object>({
          fields: expect.objectContaining<object>({
            model: expect.objectContaining<object>({ value: 'gpt-5' }) as unknown,
            inputTokens: expect.objectContaining<object>({ value: 1_000 }) as unknown,
          }) as unknown,
        }) as unknown,
      }),
    ]);
    expect(tenant.spans(1)?.data.map(({ kind }) => kind)).toEqual(['AGENT', 'LLM']);
  });

  it('is the same after it was mapped again, and after a second refresh', () => {
    const before = tenant.read(1);
    refresh(tenant);
    expect(tenant.read(1)).toEqual(before);
    expect(tenant.rewrite(1)).toBe(true);
    refresh(tenant);
    expect(tenant.read(1)).toEqual(before);
  });

  it('keeps the session that a span names', () => {
    tenant.store([{ trace: 2, id: 1, attributes: { 'session.id': 'own' } }]);
    storeLogRecords(tenant, [{ trace: 2, span: 1, event: 'codex.sse_event', attributes: COMPLETED }]);
    refresh(tenant, 2);
    expect(tenant.read(2)).toMatchObject({ sessionId: 'own', models: ['gpt-5'] });
  });

  it('has the tokens and the cost of all requests of Claude Code, whose texts are not sent', () => {
    tenant.store([{ trace: 4, id: 1, name: 'claude_code.interaction' }]);
    const attributes = {
      'session.id': 's-1',
      model: 'claude-sonnet-4-5-20250929',
      input_tokens: 3,
      output_tokens: '100',
      cache_read_tokens: 900,
      cache_creation_tokens: 97,
      cost_usd: 0.25,
    };
    for (const request_id of ['r-1', 'r-2'])
      storeLogRecords(tenant, [
        { trace: 4, span: 1, event: 'claude_code.api_request', attributes: { ...attributes, request_id } },
      ]);
    storeLogRecords(tenant, [
      { trace: 4, span: 1, event: 'api_request', attributes: { model: 'T', input_tokens: 9 } },
    ]);
    refresh(tenant, 4);
    expect(tenant.read(4)).toMatchObject({
      models: ['claude-sonnet-4-5-20250929'],
      sessionId: 's-1',
      totalPromptTokens: 2_000,
      totalCompletionTokens: 200,
      cost: 0.5,
    });
    expect(tenant.list({ kind: ['LLM'] }).data.length).toBeGreaterThan(0);
  });

  it('costs nothing at a provider that runs on own machines, which only the span names', () => {
    tenant.store([{ trace: 5, id: 1, attributes: { 'gen_ai.provider.name': 'ollama' } }]);
    storeLogRecords(tenant, [{ trace: 5, span: 1, event: 'codex.sse_event', attributes: COMPLETED }]);
    refresh(tenant, 5);
    expect(tenant.read(5)).toMatchObject({ totalPromptTokens: 1_000 });
    expect(tenant.read(5)?.['cost'] ?? null).toBeNull();
  });

  it('keeps the usage that a span reports itself', () => {
    const usage = { 'gen_ai.request.model': 'gpt-5', 'gen_ai.usage.input_tokens': 7 };
    tenant.store([{ trace: 3, id: 1, attributes: usage }]);
    storeLogRecords(tenant, [{ trace: 3, span: 1, event: 'codex.sse_event', attributes: COMPLETED }]);
    refresh(tenant, 3);
    expect(tenant.read(3)).toMatchObject({ totalPromptTokens: 7, totalCompletionTokens: 0 });
  });
});
