import { describe, expect, it } from 'vitest';
import { MS, type SpanSpec, spanHex, traceBytes, uuid } from '../support/spans.ts';
import { type SpanJson, type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();
const stored = (specs: SpanSpec[]): Tenant => {
  const tenant = newTenant();
  tenant.store(specs);
  return tenant;
};
/** `id` with a dot for each level of depth. */
const draw = (answer: { data: SpanJson[] } | null): string | undefined =>
  answer?.data
    .map(({ id, depth, placeholder, orphan, cycle, skew }) => {
      const marks = Object.entries({ placeholder, orphan, cycle, skew }).flatMap(([name, is]) =>
        is === true ? [name] : [],
      );
      return [`${'.'.repeat(depth)}${Number.parseInt(id, 16)}`, ...marks].join(' ');
    })
    .join(', ');

const TREE: SpanSpec[] = [
  { id: 6, parent: 3, start: 60 * MS },
  { id: 2, parent: 1, start: 20 * MS },
  { id: 1, start: 10 * MS },
  { id: 4, parent: 2, start: 40 * MS },
  { id: 3, parent: 1, start: 30 * MS },
  { id: 5, parent: 2, start: 50 * MS },
];

describe('readSpans', () => {
  it('returns a tree in its order: a parent before its children, those by start', () => {
    const answer = stored(TREE).spans(1);
    expect(draw(answer)).toBe('1, .2, ..4, ..5, .3, ..6');
    expect(answer?.pagination).toEqual({ skip: 0, limit: 100_000, total: 6, totalPages: 1 });
    expect(answer?.data.map(({ childCount }) => childCount)).toEqual([2, 2, 0, 0, 1, 0]);
  });

  it('returns one window of it after the other', () => {
    const tenant = stored(TREE);
    const windows = [0, 2, 4, 6].map((skip) => tenant.spans(1, { skip, limit: 2 }));
    expect(windows.map(draw)).toEqual(['1, .2', '..4, ..5', '.3, ..6', '']);
    expect(windows[3]?.pagination).toEqual({ skip: 6, limit: 2, total: 6, totalPages: 3 });
  });

  it('returns a subtree, or single spans of it', () => {
    const tenant = stored(TREE);
    expect(draw(tenant.spans(1, { subtree: spanHex(2) }))).toBe('.2, ..4, ..5');
    expect(draw(tenant.spans(1, { spanIds: [spanHex(6), spanHex(1), spanHex(99)] }))).toBe('1, ..6');
    expect(draw(tenant.spans(1, { subtree: spanHex(2), spanIds: [spanHex(5), spanHex(6)] }))).toBe('..5');
    expect(tenant.spans(1, { subtree: spanHex(99) })).toBeNull();
    expect(tenant.spans(2)).toBeNull();
  });

  it('shows orphans under a placeholder, breaks cycles, and marks clocks that disagree', () => {
    const tenant = stored([
      { id: 1, start: 50 * MS },
      { id: 2, parent: 1, start: 10 * MS },
      { id: 3, parent: 9, start: 60 * MS },
      { id: 4, parent: 5, start: 70 * MS },
      { id: 5, parent: 4, start: 80 * MS },
    ]);
    expect(draw(tenant.spans(1))).toBe('1, .2 skew, 9 placeholder, .3 orphan, 4 cycle, .5');
    expect(draw(tenant.spans(1, { subtree: spanHex(9) }))).toBe('9 placeholder, .3 orphan');
  });

  it('shows of each span its skeleton', () => {
    const attributes = { 'llm.model_name': 'm', 'service.test.id': uuid(1) };
    const [span] =
      stored([{ id: 1, name: 'say "hi"\n\u2028', end: 1.25 * MS, status: 2, attributes }]).spans(1)?.data ??
      [];
    expect(span).toEqual({
      id: spanHex(1),
      name: 'say "hi"\n\u2028',
      kind: 'LLM',
      type: 'llm',
      startTime: '2026-01-01T00:00:00.000Z',
      durationMs: 1.25,
      status: { code: 'ERROR' },
      depth: 0,
      childCount: 0,
      testId: uuid(1),
    });
  });

  it('reports the test each span belongs to', () => {
    const own = (n: number) => ({ attributes: { 'service.test.id': uuid(n) } });
    const tenant = stored([
      { id: 1, ...own(1) },
      { id: 2, parent: 1 },
      { id: 3, parent: 2, ...own(2) },
      { id: 4, parent: 3 },
    ]);
    expect(tenant.spans(1)?.data.map(({ testId }) => testId)).toEqual([uuid(1), uuid(1), uuid(2), uuid(2)]);
  });

  it('shows the payload when requested it: all that was sent', () => {
    const attributes = {
      text: 'x',
      list: [1, 'a', null],
      big: 2n ** 60n,
      __proto__own: 1,
      bytes: new Uint8Array([1]),
    };
    const tenant = stored([
      {
        id: 1,
        attributes,
        resource: { 'service.name': 'one' },
        scope: 'scope one',
        status: 2,
        message: 'why',
        flags: 257,
      },
      { id: 2, parent: 1, start: 1, resource: { 'service.name': 'two', host: 'h' }, scope: 'scope two' },
    ]);
    const whole = tenant.spans(1, { payload: true })?.data;
    expect(whole).toMatchObject([
      {
        status: { code: 'ERROR', message: 'why' },
        spanKind: 'UNSPECIFIED',
        traceFlags: 257,
        attributes: { text: 'x', list: [1, 'a', null], big: String(2n ** 60n), bytes: 'AQ==' },
        events: [],
        links: [],
        scope: { name: 'scope one' },
        resource: { attributes: { 'service.name': 'one' } },
      },
      {
        attributes: {},
        scope: { name: 'scope two' },
        resource: { attributes: { 'service.name': 'two', host: 'h' } },
      },
    ]);
    const bare = tenant.spans(1)?.data;
    expect(Object.keys(bare?.[0] ?? {})).not.toContain('attributes');
    const single = tenant.spans(1, { payload: true, spanIds: [spanHex(2)] })?.data;
    expect(single).toEqual([whole?.[1]]);
  });

  it('shows the version of a span that counts, with its own payload', () => {
    const tenant = stored([
      { id: 1, name: 'old', attributes: { v: 1 } },
      { id: 2, parent: 1, attributes: { v: 1 } },
    ]);
    tenant.store([{ id: 1, name: 'new', attributes: { v: 2 } }]);
    const shown = tenant.spans(1, { payload: true })?.data.map(({ name, attributes }) => [name, attributes]);
    expect(shown).toEqual([
      ['new', { v: 2 }],
      ['span', { v: 1 }],
    ]);
  });

  it('opens a chain of 20 000 spans', () => {
    const specs = Array.from(
      { length: 20_000 },
      (_, i): SpanSpec => ({ id: i + 1, start: i, ...(i > 0 ? { parent: i } : {}) }),
    );
    const tenant = stored(specs.toReversed());
    const answer = tenant.spans(1, { skip: 19_998, limit: 10 });
    expect(answer?.data).toMatchObject([
      { id: spanHex(19_999), depth: 19_998 },
      { id: spanHex(20_000), depth: 19_999 },
    ]);
    expect(tenant.spans(1, { subtree: spanHex(10_001) })?.pagination).toMatchObject({ total: 10_000 });
  });

  it('finds the trace under the first of the ids it may have', () => {
    const tenant = stored([{ trace: 7, id: 1 }]);
    expect(tenant.spans(1, { traceIds: [traceBytes(8), traceBytes(7)] })?.data).toHaveLength(1);
  });
});
