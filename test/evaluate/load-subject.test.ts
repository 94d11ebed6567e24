import { beforeEach, describe, expect, it } from 'vitest';
import { DELIVERY_ATTRIBUTE } from '../../src/deliver/delivery-span.ts';
import { loadSubject } from '../../src/evaluate/load-subject.ts';
import type { Subject } from '../../src/evaluate/subject.ts';
import { MS, type SpanSpec, traceBytes, uuid, type Values } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const TEST = uuid(1);
const OTHER = uuid(2);

const store = useStore();
let tenant: Tenant;
beforeEach(() => {
  tenant = store.newTenant();
});

const ofKind = (kind: string, more: Values = {}): Values => ({ 'openinference.span.kind': kind, ...more });
const ofTest = (attributes: Values = {}, id = TEST): Values => ({ 'service.test.id': id, ...attributes });
const documents = (...contents: string[]): Values =>
  Object.fromEntries(
    contents.flatMap((content, index): [string, string | number][] => [
      [`retrieval.documents.${index}.document.content`, content],
      [`retrieval.documents.${index}.document.id`, `d${index}`],
      [`retrieval.documents.${index}.document.score`, 0.5 + index],
    ]),
  );
const tokens = (input: number, output: number): Values => ({
  'llm.token_count.prompt': input,
  'llm.token_count.completion': output,
});

const ofTheTest = (): Subject =>
  loadSubject(tenant.database, { application: tenant.application, target: { testId: TEST } });
const ofTheTrace = (trace: number): Subject =>
  loadSubject(tenant.database, {
    application: tenant.application,
    target: { traceId: traceBytes(trace) },
  });

const TOOL_CALL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' };

describe('what is judged of a test', () => {
  it.each<[what: string, specs: SpanSpec[], expected: Partial<Subject>]>([
    [
      'nothing of what was never stored',
      [],
      {
        input: null,
        output: null,
        documents: [],
        turns: [],
        toolCalls: [],
        spans: [],
        latencyMs: null,
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        cost: null,
        isTruncated: false,
      },
    ],
    [
      'input and output as the rule for tests tells',
      [{ id: 1, attributes: ofTest({ 'input.value': 'Capital?', 'output.value': 'Paris' }) }],
      { input: 'Capital?', output: 'Paris' },
    ],
    [
      'its spans in the order of their start, over all its traces, and the time from the first to the last',
      [
        { trace: 2, id: 3, start: 40 * MS, end: 45 * MS, name: 'late', status: 2, attributes: ofTest() },
        { trace: 1, id: 1, start: 0, end: 10 * MS, name: 'root', attributes: ofTest(ofKind('AGENT')) },
        {
          trace: 1,
          id: 2,
          parent: 1,
          start: 2 * MS,
          end: 4 * MS,
          name: 'call',
          attributes: { 'llm.model_name': 'm' },
        },
      ],
      {
        spans: [
          { name: 'root', kind: 'AGENT', model: null, durationMs: 10, isError: false },
          { name: 'call', kind: 'LLM', model: 'm', durationMs: 2, isError: false },
          { name: 'late', kind: 'SPAN', model: null, durationMs: 5, isError: true },
        ],
        latencyMs: 45,
      },
    ],
    [
      'neither our deliveries nor spans of another test in the same trace',
      [
        { id: 9, end: 90 * MS, attributes: ofTest({ [DELIVERY_ATTRIBUTE]: true }) },
        { id: 1, parent: 9, start: 1 * MS, name: 'ours', attributes: ofTest({ 'output.value': 'ours' }) },
        {
          id: 2,
          parent: 9,
          start: 2 * MS,
          name: 'theirs',
          attributes: ofTest({ 'output.value': 'theirs' }, OTHER),
        },
      ],
      {
        output: 'ours',
        latencyMs: 1,
        spans: [{ name: 'ours', kind: 'SPAN', model: null, durationMs: 1, isError: false }],
      },
    ],
    [
      'passages of retrievers in the order of their spans, each text once',
      [
        { id: 1, attributes: ofTest() },
        { id: 3, parent: 1, start: 2 * MS, attributes: ofKind('RETRIEVER', documents('b', 'c')) },
        { id: 2, parent: 1, start: 1 * MS, attributes: ofKind('RETRIEVER', documents('a', 'b')) },
      ],
      {
        documents: [
          { id: 'd0', content: 'a', score: 0.5 },
          { id: 'd1', content: 'b', score: 1.5 },
          { id: 'd1', content: 'c', score: 1.5 },
        ],
      },
    ],
    [
      'passages that a retriever gives as its output',
      [
        {
          id: 1,
          attributes: ofTest(
            ofKind('RETRIEVER', { 'output.value': '["a", "b"]', 'output.mime_type': 'application/json' }),
          ),
        },
      ],
      {
        documents: [
          { id: null, content: 'a', score: null },
          { id: null, content: 'b', score: null },
        ],
      },
    ],
    [
      'calls of tools in the order of their start, with what went in and came out',
      [
        { id: 1, attributes: ofTest() },
        {
          id: 3,
          parent: 1,
          start: 2 * MS,
          name: 'span',
          status: 2,
          attributes: ofKind('TOOL', { 'tool.name': 'refund' }),
        },
        {
          id: 2,
          parent: 1,
          start: 1 * MS,
          name: 'search',
          attributes: ofKind('TOOL', {
            'input.value': '{"q":"x"}',
            'input.mime_type': 'application/json',
            'output.value': 'found',
          }),
        },
      ],
      {
        toolCalls: [
          { name: 'search', arguments: { q: 'x' }, result: 'found', isError: false },
          { name: 'refund', arguments: null, result: null, isError: true },
        ],
      },
    ],
    [
      'a call of a tool once that client and server of MCP report too, and another call below it apart',
      [
        { id: 1, attributes: ofTest({ ...TOOL_CALL, 'gen_ai.tool.call.arguments': '{"city":"Paris"}' }) },
        {
          id: 2,
          parent: 1,
          start: 1 * MS,
          attributes: { ...TOOL_CALL, 'mcp.method.name': 'tools/call', 'gen_ai.tool.call.result': '21 C' },
        },
        {
          id: 3,
          parent: 2,
          start: 2 * MS,
          status: 2,
          attributes: { ...TOOL_CALL, 'mcp.method.name': 'tools/call' },
        },
        { id: 4, parent: 3, start: 3 * MS, attributes: TOOL_CALL },
      ],
      {
        toolCalls: [
          { name: 'get_weather', arguments: { city: 'Paris' }, result: '21 C', isError: true },
          { name: 'get_weather', arguments: null, result: null, isError: false },
        ],
      },
    ],
    [
      'tokens and cost, each use counted once',
      [
        { id: 1, attributes: ofTest(ofKind('AGENT', { ...tokens(10, 5), 'llm.cost.total': 0.5 })) },
        { id: 2, parent: 1, attributes: ofKind('LLM', { ...tokens(10, 5), 'llm.cost.total': 0.5 }) },
      ],
      { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, cost: 0.5 },
    ],
    [
      'a cost of 0 that was sent',
      [{ id: 1, attributes: ofTest(ofKind('LLM', { ...tokens(10, 5), 'llm.cost.total': 0 })) }],
      { cost: 0 },
    ],
  ])('%s', (_what, specs, expected) => {
    if (specs.length > 0) tenant.store(specs);
    expect(ofTheTest()).toMatchObject(expected);
  });

  it('is the beginning of what is very long, and says so', () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    const spans: SpanSpec[] = [
      { id: 1, attributes: ofTest({ 'input.value': long, 'output.value': `${long}!` }) },
      { id: 2, parent: 1, attributes: ofKind('TOOL', { 'output.value': 'found' }) },
      { id: 3, parent: 1, attributes: ofKind('RETRIEVER', documents('a')) },
    ];
    tenant.store(spans);
    const { input, output, toolCalls, documents: passages, isTruncated } = ofTheTest();
    expect(output).toBe(`${long}!`);
    expect((input as string).length).toBe(3 * 1024 * 1024 - 1);
    expect(toolCalls).toMatchObject([{ arguments: null, result: null }]);
    expect(passages).toEqual([]);
    expect(isTruncated).toBe(true);
  });

  it('is the first 10 000 spans of more, and says so', () => {
    const rest = Array.from(
      { length: 10_000 },
      (_, index): SpanSpec => ({ id: index + 2, parent: 1, start: MS }),
    );
    tenant.store([{ id: 1, name: 'root', attributes: ofTest() }, ...rest]);
    const { spans, isTruncated } = ofTheTest();
    expect(spans).toHaveLength(10_000);
    expect(spans[0]?.name).toBe('root');
    expect(isTruncated).toBe(true);
  });
});

describe('what is judged of a trace', () => {
  it('is all of it, whatever tests its spans name, and nothing of another one', () => {
    tenant.store([
      { trace: 7, id: 1, name: 'root', attributes: { 'input.value': 'in', 'output.value': 'out' } },
      { trace: 7, id: 2, parent: 1, start: 1, name: 'below', attributes: ofTest() },
      { trace: 8, id: 3, name: 'other' },
    ]);
    const { input, output, spans } = ofTheTrace(7);
    expect({ input, output, names: spans.map(({ name }) => name) }).toEqual({
      input: 'in',
      output: 'out',
      names: ['root', 'below'],
    });
  });

  it('is nothing when it is of another application, or gone', () => {
    tenant.store([{ trace: 7, id: 1, attributes: { 'output.value': 'out' } }]);
    const { application } = store.newTenant();
    const target = { traceId: traceBytes(7) };
    expect(loadSubject(tenant.database, { application, target })).toMatchObject({ output: null, spans: [] });
    tenant.delete(7);
    expect(ofTheTrace(7)).toMatchObject({ output: null, spans: [] });
  });
});

describe('the turns of a conversation', () => {
  const turn = (trace: number, text: string, more: Values = {}): SpanSpec => ({
    trace,
    id: 1,
    start: trace * MS,
    attributes: { 'session.id': 's', 'input.value': `${text}?`, 'output.value': text, ...more },
  });
  const turnsOf = (target: { testId: string } | { traceId: Uint8Array }): Subject =>
    loadSubject(tenant.database, { application: tenant.application, target, hasTurns: true });

  it('of a test are its traces in their order, of a trace those of its session up to it', () => {
    const silent = { trace: 4, id: 1, start: 4 * MS, attributes: ofTest() };
    tenant.store([turn(3, 'b', ofTest()), turn(1, 'before'), turn(2, 'a', ofTest()), silent]);
    expect(turnsOf({ testId: TEST }).turns).toEqual([
      { input: 'a?', output: 'a' },
      { input: 'b?', output: 'b' },
    ]);
    expect(ofTheTest().turns).toEqual([]);
    expect(turnsOf({ traceId: traceBytes(2) }).turns).toEqual([
      { input: 'before?', output: 'before' },
      { input: 'a?', output: 'a' },
    ]);
    tenant.store([{ trace: 9, id: 1, attributes: { 'input.value': 'alone?' } }]);
    expect(turnsOf({ traceId: traceBytes(9) }).turns).toEqual([]);
  });

  it('are the last 50 of more, and the subject says so', () => {
    tenant.store(Array.from({ length: 52 }, (_, index) => turn(index + 1, `${index + 1}`, ofTest())));
    const { turns, isTruncated } = turnsOf({ testId: TEST });
    expect(turns).toHaveLength(50);
    expect(turns[0]?.output).toBe('3');
    expect(turns.at(-1)?.output).toBe('52');
    expect(isTruncated).toBe(true);
  });
});
