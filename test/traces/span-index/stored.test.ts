import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpanIndex } from '../../../src/span-index/reader.ts';
import { readSpanIndex, spanIndexVersion } from '../../../src/traces/span-index/read-span-index.ts';
import { MS, type SpanSpec, spanHex, traceBytes } from '../../support/spans.ts';
import { type Tenant, useStore } from '../../support/storage.ts';
import { effort } from '../../support/effort.ts';

const { newTenant } = useStore();
const wanted = ({ application }: Tenant, trace: number) => ({ application, traceIds: [traceBytes(trace)] });

function indexOf(tenant: Tenant, trace = 1): SpanIndex | null {
  const bytes = readSpanIndex(tenant.database, wanted(tenant, trace));
  return bytes && new SpanIndex(bytes as Uint8Array<ArrayBuffer>);
}

const rowsOf = (index: SpanIndex | null): unknown[] =>
  Array.from({ length: index?.rows ?? 0 }, (_, row) => {
    const flags = (['placeholder', 'orphan', 'cycle', 'skew'] as const).filter((flag) =>
      index?.has(row, flag),
    );
    return [index?.spanId(row), index?.depth(row), index?.name(row), ...flags];
  });

/** The rows as `/spans` lists them. */
const listed = (tenant: Tenant, trace = 1): unknown[] =>
  (tenant.spans(trace)?.data ?? []).map((span) => {
    const flags = (['placeholder', 'orphan', 'cycle', 'skew'] as const).filter((flag) => span[flag]);
    return [span.id, span.depth, span['name'] ?? '', ...flags];
  });

describe('the span index of a stored trace', () => {
  it('shows each span in the version that replaced the others', () => {
    const tenant = newTenant();
    tenant.store([
      { id: 1, name: 'root' },
      { id: 2, parent: 1, name: 'first' },
    ]);
    tenant.store([{ id: 2, parent: 1, name: 'second', start: MS }]);
    tenant.store([
      { id: 2, parent: 1, name: 'second', start: MS },
      { id: 3, parent: 1, name: 'new', start: 2 * MS },
    ]);
    const rows = [
      [spanHex(1), 0, 'root'],
      [spanHex(2), 1, 'second'],
      [spanHex(3), 1, 'new'],
    ];
    expect(rowsOf(indexOf(tenant))).toEqual(rows);
    tenant.rewrite(1);
    expect(rowsOf(indexOf(tenant))).toEqual(rows);
  });

  it('lists the same rows as the list of spans, whatever was sent again or replaced', () => {
    const span = fc.record({
      id: fc.integer({ min: 1, max: 8 }),
      parent: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(0)),
      start: fc.nat(3).map((n) => n * 2 * MS),
      name: fc.constantFrom('a', 'b'),
    });
    const requests = fc.array(fc.array(span, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
    const check = (sent: { id: number; parent: number; start: number; name: string }[][]): void => {
      const tenant = newTenant();
      for (const specs of sent)
        tenant.store(
          specs.map(({ parent, ...spec }): SpanSpec => (parent === 0 ? spec : { ...spec, parent })),
        );
      expect(rowsOf(indexOf(tenant))).toEqual(listed(tenant));
    };
    fc.assert(fc.property(requests, check), { numRuns: effort(133) });
  });

  it('leaves out the fields of a native trace event', () => {
    const tenant = newTenant();
    tenant.store(
      [
        { id: 1, name: 'event', attributes: { 'touchstone.event': 'trace' } },
        { id: 2, name: 'step' },
      ],
      { native: true },
    );
    expect(rowsOf(indexOf(tenant))).toEqual(listed(tenant));
  });

  it('has a version that changes with each span that arrives', () => {
    const tenant = newTenant();
    const version = (): string | null => spanIndexVersion(tenant.database, wanted(tenant, 1));
    expect(version()).toBeNull();
    tenant.store([{ id: 1 }]);
    const first = version();
    tenant.store([{ id: 1 }]);
    expect(version()).toBe(first);
    tenant.store([{ id: 2 }]);
    expect(version()).not.toBe(first);
  });

  it('is that of its application alone', () => {
    const [own, other] = [newTenant(), newTenant()];
    own.store([{ id: 1 }]);
    expect(indexOf(other)).toBeNull();
    expect(indexOf(own)?.rows).toBe(1);
  });

  it('does not outlive the trace', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1 }]);
    tenant.delete(1);
    expect(indexOf(tenant)).toBeNull();
  });
});
