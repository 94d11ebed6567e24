import { afterAll, beforeAll } from 'vitest';
/** A store in a folder of its own, driven by its operations directly: no threads, no HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/errors.ts';
import { Checkpoints, runCheckpointPass } from '../../src/storage/sqlite/checkpoints.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { isPostgres } from '../../src/storage/engine.ts';
import { openPostgres } from './postgres.ts';
import { ReadGate } from '../../src/storage/sqlite/read-gate.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { deleteTrace } from '../../src/traces/delete.ts';
import { commands } from '../../src/operations.ts';
import { listTraces, type ListTraces } from '../../src/traces/list.ts';
import type { TraceFilter } from '../../src/traces/trace-where.ts';
import { findTraceByTest, readTrace } from '../../src/traces/read.ts';
import { rewriteCommands } from '../../src/traces/operations.ts';
import { readSpans, type ReadSpans } from '../../src/traces/span-list.ts';
import { type PackedSlice, packSlices } from '../../src/traces/packed-slices.ts';
import { storeSlices, type KeyTaken, type StoreOutcome, type StoreSpans } from '../../src/traces/store.ts';
import { rewriteTrace } from '../../src/ingest/rewrite-trace.ts';
import { storeSlices as storeSlicesCommand } from '../../src/traces/calls.ts';
import { BASE_MS, batchOf, PRICES, type SpanSpec, traceBytes } from './spans.ts';

export interface Folder extends Disposable {
  readonly path: string;
  file(name: string): string;
}

/** A folder that is gone when its `using` scope ends. */
export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-test-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Opens the store in `file` as the writer does; queries run on the same connection. */
export function openDatabase(file: string, log?: (sql: string) => void): SqliteDatabase {
  if (isPostgres) return openPostgres(file) as unknown as SqliteDatabase;
  const connection = openForWriting(file);
  // What is tested so is what is stored, not whether it survives a loss of power.
  connection.pragma('synchronous = OFF');
  connection.function('in_time', (_key: unknown) => 1);
  const database = new SqliteDatabase(connection);
  if (log) logStatements(database, log);
  return database;
}

/** Checkpoints of a writer without a thread of their own. */
export function inlineCheckpoints({ connection }: SqliteDatabase): Checkpoints {
  return new Checkpoints(connection, new ReadGate(), () => ({
    pass: async () => runCheckpointPass(connection, () => undefined),
    close: async () => undefined,
  }));
}

/** Makes each query of this connection exceed its time limit at the first row that it reads. */
export function stopQueries({ connection }: SqliteDatabase): void {
  connection.function('random', () => 0);
  connection.function('in_time', (_key: unknown) => {
    throw new Error('too late');
  });
}

/** Shows `log` each statement prepared from now on. */
function logStatements(database: SqliteDatabase, log: (sql: string) => void): void {
  const { connection } = database;
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql: string) => {
    log(sql);
    return prepare(sql);
  };
}

/** Stores one slice. Throws `conflict` when its Idempotency-Key is taken. */
export function storeSpans(database: SqliteDatabase, args: StoreSpans): StoreOutcome {
  return onlyOutcome(storeSlices(database, [args]));
}

/** Stores one slice as another thread does. Throws `conflict` when its Idempotency-Key is taken. */
export async function writeSlice(
  write: (command: typeof storeSlicesCommand, args: PackedSlice[], bytes: Uint8Array) => Promise<unknown>,
  args: StoreSpans,
): Promise<StoreOutcome> {
  const { packed, bytes } = packSlices([args]);
  return onlyOutcome((await write(storeSlicesCommand, packed, bytes)) as (StoreOutcome | KeyTaken)[]);
}

export function onlyOutcome([outcome]: readonly (StoreOutcome | KeyTaken)[]): StoreOutcome {
  if (!outcome || 'isKeyTaken' in outcome) throw new AppError('conflict', 'the key is taken');
  return outcome;
}

/** Returns the arguments of `storeSlices` besides the spans. */
export function storeArgs(
  application: number,
  specs: readonly SpanSpec[],
  more: Partial<StoreSpans> = {},
): StoreSpans {
  return {
    application,
    keyId: 'key',
    at: BASE_MS,
    native: false,
    requests: 1,
    batch: batchOf(specs),
    received: specs.length,
    rejected: {},
    notices: {},
    rejections: [],
    steps: null,
    idempotency: null,
    ...more,
  };
}

type Json = Record<string, unknown>;

export interface TracePage {
  data: TraceJson[];
  pagination: Json & { total: number };
}

export interface TraceJson extends Json {
  id: string;
  otelTraceId: string;
  testIds: string[];
  spanCount: number;
  errorCount: number;
  flags: string[];
  usage: { promptTokens: number; completionTokens: number };
}

export interface SpanJson extends Json {
  id: string;
  depth: number;
  attributes?: Json;
}

/** One application in a store. */
export class Tenant {
  readonly database: SqliteDatabase;
  readonly application: number;

  constructor(database: SqliteDatabase, application: number) {
    this.database = database;
    this.application = application;
  }

  get owner() {
    const { application } = this;
    return { application, applicationId: `application-${application}`, orgId: 'organisation' };
  }

  store(specs: readonly SpanSpec[], more: Partial<StoreSpans> = {}): StoreOutcome {
    const { database } = this;
    const args = storeArgs(this.application, specs, more);
    return database.transaction(() => storeSpans(database, args));
  }

  read(trace: number | string): TraceJson | null {
    const bytes = readTrace(this.database, { ...this.owner, traceIds: [traceBytes(trace)] });
    return bytes && (parse(bytes) as { data: TraceJson }).data;
  }

  byTest(testId: string): TraceJson | null {
    const bytes = findTraceByTest(this.database, { ...this.owner, testId });
    return bytes && (parse(bytes) as { data: TraceJson }).data;
  }

  list(
    filter: TraceFilter = {},
    page: Partial<Pick<ListTraces, 'skip' | 'limit' | 'orderBy' | 'orderDir'>> = {},
  ): TracePage {
    const args: ListTraces = { ...this.owner, filter, skip: 0, limit: 25, orderDir: 'desc', ...page };
    return parse(listTraces(this.database, args)) as TracePage;
  }

  spans(
    trace: number | string,
    more: Partial<ReadSpans> = {},
  ): { data: SpanJson[]; pagination: Json } | null {
    const window = { subtree: null, spanIds: null, payload: false, skip: 0, limit: 100_000 };
    const args: ReadSpans = {
      application: this.application,
      traceIds: [traceBytes(trace)],
      ...window,
      ...more,
    };
    const bytes = readSpans(this.database, args);
    return bytes && (parse(bytes) as { data: SpanJson[]; pagination: Json });
  }

  /** The key the trace is stored under. */
  tkey(trace: number | string): number | undefined {
    return this.database.get<{ tkey: number }>(
      'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
      this.application,
      traceBytes(trace),
    )?.tkey;
  }

  /** Deletes a trace and removes all its bytes. */
  delete(trace: number | string): number | null {
    const deleted = deleteTrace(this.database, {
      application: this.application,
      traceIds: [traceBytes(trace)],
      at: BASE_MS,
    });
    if (deleted) while (commands.purgeTrace(this.database, deleted));
    return deleted?.tkey ?? null;
  }

  /** `meanwhile` runs between the loading of the trace and the storing of its new blocks. */
  rewrite(trace: number | string, meanwhile: () => void = () => undefined): boolean {
    const tkey = this.tkey(trace) ?? -1;
    const steps = rewriteTrace(tkey, PRICES, BASE_MS);
    let isLoaded = false;
    let step = steps.next();
    while (!step.done) {
      const { name, args } = step.value;
      if (name !== 'loadForRewrite' && !isLoaded) {
        isLoaded = true;
        meanwhile();
      }
      const command: (database: SqliteDatabase, args: never) => unknown = rewriteCommands[name];
      step = steps.next(this.database.transaction(() => command(this.database, args as never)));
    }
    return step.value !== 'again';
  }

  /** The ledger of the application, summed up. */
  ledger(): {
    requests: number;
    received: number;
    stored: number;
    duplicate: number;
    replaced: number;
    rejected: number;
  } {
    const row = this.database.get<Record<string, number>>(
      `SELECT ${['requests', 'received', 'stored', 'duplicate', 'replaced', 'rejected']
        .map((column) => `coalesce(sum(${column}), 0) AS ${column}`)
        .join(', ')}
       FROM ledger WHERE application = ?`,
      this.application,
    );
    return row as ReturnType<Tenant['ledger']>;
  }

  count(table: string, tkey: number): number {
    return (
      this.database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tkey = ?`, tkey)?.n ?? 0
    );
  }
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** Opens a store for the tests of one file, with applications that no other test uses. */
export function useStore(): { database: () => SqliteDatabase; newTenant: () => Tenant } {
  let folder: Folder;
  let database: SqliteDatabase;
  let tenants = 0;
  beforeAll(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.file('store.db'));
  });
  afterAll(() => {
    database.connection.close();
    folder[Symbol.dispose]();
  });
  return { database: () => database, newTenant: () => new Tenant(database, ++tenants) };
}
