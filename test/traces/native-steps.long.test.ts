import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findNativeSteps, type NativeBlocks, readNativeSpans } from '../../src/traces/native-steps.ts';
import { decodePayload } from '../../src/traces/payload.ts';
import { decodeSkeleton } from '../../src/traces/skeleton.ts';
import { MS, spanHex, traceBytes } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();
const MIB = 1024 * 1024;
const idOf = (id: number): Buffer => Buffer.from(spanHex(id), 'hex');

/** Requests spans of trace 1 as a native call does, until nothing is left; a list for each command. */
function readAll({ database, application }: Tenant, ids: readonly number[]): NativeBlocks['blocks'][] {
  const queries = [{ traceId: traceBytes(1), spanIds: ids.map(idOf), matches: [], touched: [] }];
  const commands: NativeBlocks['blocks'][] = [];
  let { blocks, left } = findNativeSteps(database, { application, queries }) as NativeBlocks;
  for (;;) {
    commands.push(blocks);
    if (left.length === 0) return commands;
    expect(blocks.length).toBeGreaterThan(0);
    ({ blocks, left } = readNativeSpans(database, { application, wanted: left }));
  }
}

const bytesOf = (blocks: NativeBlocks['blocks']): number =>
  blocks.reduce((sum, { skeleton, payload }) => sum + skeleton.length + payload.length, 0);

describe('the stored spans a native call needs', () => {
  it('are read with each block once, however many of its spans are wanted', () => {
    const tenant = newTenant();
    const spans = Array.from({ length: 3_000 }, (_, i) => ({ id: i + 1, start: i * MS }));
    tenant.store(spans);
    const [blocks = [], ...more] = readAll(
      tenant,
      spans.map(({ id }) => id).filter((id) => id % 2 === 0 || id > 2_900),
    );
    expect(more).toEqual([]);
    expect(blocks.map(({ spanIds }) => spanIds.length)).toEqual([512, 512, 526]);
    for (const { spanIds, skeleton, payload } of blocks) {
      const held = decodeSkeleton(Buffer.from(skeleton), 0).spans.map(({ id }) => id);
      expect(decodePayload(Buffer.from(payload))).toHaveLength(held.length);
      for (const id of spanIds) expect(held).toContain(Buffer.from(id).toString('hex'));
    }
  });

  it('are read by several commands when they are in large blocks, none of which returns much more than 8 MiB', () => {
    const tenant = newTenant();
    for (let id = 1; id <= 24; id++) {
      tenant.store([{ id, attributes: { blob: new Uint8Array(randomBytes(MIB)) } }]);
    }
    const ids = Array.from({ length: 26 }, (_, i) => i + 1);
    const commands = readAll(tenant, ids);
    expect(commands.length).toBe(3);
    for (const blocks of commands) expect(bytesOf(blocks)).toBeLessThan(10 * MIB);
    const found = commands.flat().flatMap(({ spanIds }) => spanIds.map((id) => Buffer.from(id)));
    // Two are not stored.
    expect(found).toEqual(ids.slice(0, 24).map(idOf));
  });

  it('are those of the version that counts', () => {
    const tenant = newTenant();
    tenant.store([{ id: 1, name: 'old' }, { id: 2 }]);
    tenant.store([{ id: 1, name: 'new' }]);
    const blocks = readAll(tenant, [1, 2]).flat();
    const nameOf = (place: number): unknown =>
      decodeSkeleton(Buffer.from(blocks[place]?.skeleton ?? []), 0).spans.map(({ name }) => name);
    expect(blocks.map(({ spanIds }) => spanIds.map((id) => Buffer.from(id)))).toEqual([[idOf(1)], [idOf(2)]]);
    expect([nameOf(0), nameOf(1)]).toEqual([['new'], ['old', 'span']]);
  });
});

describe('the open starts of a key', () => {
  it('are the oldest, until as many as are wanted are not changed by the call itself', () => {
    const tenant = newTenant();
    const { database, application } = tenant;
    tenant.store([{ id: 1 }]);
    const match = Buffer.alloc(16, 1);
    for (let id = 1; id <= 100; id++)
      database.run(
        'INSERT INTO open_step (application, tkey, match, start_ns, span_id) VALUES (?, ?, ?, ?, ?)',
        application,
        tenant.tkey(1) ?? -1,
        match,
        id,
        idOf(id),
      );
    const openOf = (limit: number, touched: readonly number[]): number[] => {
      const query = { traceId: traceBytes(1), spanIds: [], touched: touched.map(idOf) };
      const queries = [{ ...query, matches: [{ key: match, limit }] }];
      const { answers } = findNativeSteps(database, { application, queries });
      return answers[0]?.open[0]?.[1].map((id) => Number.parseInt(id, 16)) ?? [];
    };
    const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);
    expect(openOf(2, [])).toEqual(upTo(2));
    expect(openOf(2, [1, 3, 99])).toEqual(upTo(4));
    expect(openOf(2, upTo(60))).toEqual(upTo(62));
    expect(openOf(2, upTo(100))).toEqual(upTo(100));
    expect(openOf(200, [7])).toEqual(upTo(100));
  });
});
