import { describe, expect, it } from 'vitest';
import { align } from '../../src/dashboard/compare/align.ts';
import type { SpanDetail } from '../../src/api/generated/schema.ts';
import { contentText } from '../../src/dashboard/compare/content-text.ts';
import { choosePartner } from '../../src/dashboard/compare/partner.ts';
import {
  lastTurn,
  type ShownMessage,
  type ShownPart,
  pairTools,
} from '../../src/dashboard/trace/span/message.ts';
import { Outline } from '../../src/dashboard/trace/tree/outline.ts';
import { SPAN_KINDS } from '../../src/traces/span-kinds.ts';
import { indexOfSpans, type PlainSpan, spanIdOf } from '../support/span-indexes.ts';

const LLM = SPAN_KINDS.indexOf('LLM');
const TOOL = SPAN_KINDS.indexOf('TOOL');

describe('the outline of a trace', () => {
  const spans: PlainSpan[] = [
    { id: 1, kind: LLM },
    { id: 2, parent: 1, kind: TOOL },
    { id: 3, parent: 2 },
    { id: 4, parent: 1, kind: LLM },
  ];
  const shownIn = (outline: Outline): string[] =>
    Array.from({ length: outline.count }, (_, place) => {
      const row = outline.row(place);
      return `${'-'.repeat(outline.level(place))}${Number.parseInt(outline.index.spanId(row), 16)}`;
    });

  it('shows rows whose ancestors are all open', () => {
    const outline = new Outline(indexOfSpans(spans));
    expect(shownIn(outline)).toEqual(['1', '-2', '--3', '-4']);
    const second = outline.index.rowOf(spanIdOf(2));
    outline.setClosed(second, true);
    expect(shownIn(outline)).toEqual(['1', '-2', '-4']);
    expect(outline.placeOf(outline.index.rowOf(spanIdOf(3)))).toBe(1);
    outline.reveal(outline.index.rowOf(spanIdOf(3)));
    expect(shownIn(outline)).toEqual(['1', '-2', '--3', '-4']);
    outline.showLevels(1);
    expect(shownIn(outline)).toEqual(['1']);
  });

  it('has only model steps with the lens, each below the nearest one above', () => {
    const outline = new Outline(indexOfSpans([...spans, { id: 5, parent: 3, kind: LLM }]), { hasLens: true });
    expect(shownIn(outline)).toEqual(['1', '-2', '--5', '-4']);
    expect(outline.canClose(outline.index.rowOf(spanIdOf(2)))).toBe(true);
    expect(outline.canClose(outline.index.rowOf(spanIdOf(5)))).toBe(false);
  });

  it('keeps rows open and closed while the trace grows', () => {
    const before = new Outline(indexOfSpans(spans));
    before.setClosed(before.index.rowOf(spanIdOf(2)), true);
    // The new spans shift the rows, and make the trace one that would open folded.
    const many = Array.from({ length: 5_000 }, (_, at): PlainSpan => ({ id: at + 10, parent: 4 }));
    const grown = indexOfSpans([...spans, { id: 5, parent: 3 }, ...many]);
    const after = new Outline(grown, { before });
    expect(shownIn(after).slice(0, 4)).toEqual(['1', '-2', '-4', '--10']);
    expect(after.count).toBe(3 + many.length);
    expect(shownIn(new Outline(grown))).toEqual(['1', '-2', '-4']);
  });

  it('folds a long chain of plumbing', () => {
    const chain = [2, 3, 4, 5].map((id): PlainSpan => ({ id, parent: id - 1 }));
    expect(shownIn(new Outline(indexOfSpans([{ id: 1, kind: LLM }, ...chain])))).toEqual(['1', '-2']);
  });
});

describe('two traces', () => {
  const named = (names: readonly string[], more: Partial<PlainSpan> = {}) =>
    indexOfSpans([
      { id: 1, name: 'root' },
      ...names.map((name, at): PlainSpan => ({ id: at + 2, parent: 1, name, ...more })),
    ]);
  const pairsOf = (a: readonly string[], b: readonly string[]): string[] => {
    const [first, second] = [named(a), named(b)];
    return align(first, second).map((pair) =>
      [pair.a === -1 ? '' : first.name(pair.a), pair.b === -1 ? '' : second.name(pair.b)].join('|'),
    );
  };

  it.each([
    [
      ['plan', 'search', 'answer'],
      ['plan', 'answer'],
      ['root|root', 'plan|plan', 'search|', 'answer|answer'],
    ],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['root|root', 'a|', 'b|b', '|a'],
    ],
    [[], ['a'], ['root|root', '|a']],
  ])('%j and %j are aligned by name and order', (a, b, pairs) => {
    expect(pairsOf(a, b)).toEqual(pairs);
  });

  it('are equal only where all spans below are', () => {
    const a = named(['a', 'b'], { totalTokens: 7 });
    expect(align(a, named(['a', 'b'], { totalTokens: 7 })).every(({ isEqual }) => isEqual)).toBe(true);
    const [root, first] = align(a, named(['a', 'b'], { totalTokens: 8 }));
    expect([root?.isEqual, first?.isEqual, root?.end]).toEqual([false, false, 3]);
  });

  it('of a test are compared with an earlier one, if possible a passing one of its example', () => {
    const test = (id: string, exampleIndex: number, passed: number, day: number) => ({
      id,
      exampleIndex,
      createdAt: `2026-03-0${day}T00:00:00.000Z`,
      result: { passed, total: 2 },
    });
    const own = test('own', 1, 1, 5);
    const later = test('later', 1, 2, 6);
    const failing = test('failing', 1, 0, 4);
    const other = test('other', 0, 2, 3);
    const same = test('same', 1, 2, 2);
    expect(choosePartner(own, [later, own, failing, other, same])?.id).toBe('same');
    expect(choosePartner(own, [later, own, failing, other])?.id).toBe('other');
    expect(choosePartner(own, [later, own, failing])?.id).toBe('failing');
    expect(choosePartner(own, [later, own])).toBeUndefined();
  });
});

describe('tool calls', () => {
  const message = (role: string, ...parts: ShownPart[]): ShownMessage => ({ role, parts });
  const call = (name: string, id?: string): ShownPart => ({
    type: 'tool_call',
    name,
    arguments: {},
    ...(id !== undefined && { id }),
  });
  const result = (value: string, name: string, id?: string): ShownPart => ({
    type: 'tool_result',
    name,
    result: value,
    ...(id !== undefined && { id }),
  });
  const resultsIn = (messages: readonly ShownMessage[]): unknown[][] =>
    pairTools(messages).map(({ results }) => [...results.values()].map((one) => one.result));

  it('are paired by id, whatever the order of the results', () => {
    const messages = [
      message('assistant', call('find', 'x'), call('find', 'y')),
      message('tool', result('of y', 'find', 'y'), result('of x', 'find', 'x')),
    ];
    expect(resultsIn(messages)).toEqual([['of x', 'of y']]);
  });

  it('without ids are paired by name in order, each result once', () => {
    const messages = [
      message('assistant', call('find'), call('find'), call('pay')),
      message('tool', result('first', 'find')),
      message('tool', result('second', 'find')),
    ];
    expect(resultsIn(messages)).toEqual([['first', 'second']]);
  });

  it('leave a result without a call, and a message without parts, where they are', () => {
    const messages = [message('tool', result('lost', 'find')), message('user')];
    expect(pairTools(messages).map((turn) => turn.message)).toEqual(messages);
  });

  it('a conversation opens at the last message of the user', () => {
    const text = (role: string): ShownMessage => message(role, { type: 'text', text: role });
    expect(lastTurn(pairTools([text('user'), text('assistant'), text('user'), text('assistant')]))).toBe(2);
    expect(lastTurn(pairTools([text('system'), text('assistant')]))).toBe(1);
    expect(lastTurn([])).toBe(0);
  });
});

describe('the texts that are compared', () => {
  const call = { type: 'tool_call', name: 'find_parcel', arguments: '{"id":4711}' };
  const text = { type: 'text', text: 'Let me look.' };
  const written = 'Tool call find_parcel {\n  "id": 4711\n}';
  const spanOf = (fields: Readonly<Record<string, unknown>>): SpanDetail =>
    ({
      mapped: {
        fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
      },
    }) as unknown as SpanDetail;
  it.each([
    ['text and tool call', [text, call], `Let me look.\n${written}`],
    ['a tool call alone', [call], written],
    ['text alone', [text], 'Let me look.'],
  ])('contain %s', (_what, parts, expected) => {
    const outputMessages = [{ role: 'assistant', parts }];
    expect(contentText(spanOf({ output: 'Let me look.', outputMessages }), 'output')).toBe(expected);
  });

  it('are those of the field where there are no messages', () => {
    expect(contentText(spanOf({ input: '{"a":1}' }), 'input')).toBe('{\n  "a": 1\n}');
    expect(contentText(spanOf({ input: 'Hello' }), 'input')).toBe('Hello');
    expect(contentText(null, 'input')).toBe('');
  });
});
