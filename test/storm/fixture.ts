/** The server under the storm, the app and the judge beside it, and what the driver knows of what it did. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChaosServer } from '../chaos/server.ts';
import { answer, breakOff, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Neighbour, startNeighbour } from '../support/neighbour.ts';
import { run } from '../support/process.ts';
import { mulberry32 } from '../support/random.ts';
import { startStandInJudge } from '../support/stand-in-judge.ts';

export interface Reply {
  status: number;
  text: string;
  json: unknown;
}

/** A trace that was sent, with what was acknowledged. */
export interface SentTrace {
  id: string;
  sessionId: string;
  userId: string;
  /** Text that occurs in this trace alone. */
  secret: string;
  spans: { spanId: string; version: number }[];
  isDeleted: boolean;
}

export type Body = Readonly<Record<string, unknown>>;

const SPANS = 'SELECT (SELECT count(*) FROM span) AS spans, (SELECT count(*) FROM audit_entry) AS audit';

export class Fixture implements AsyncDisposable {
  readonly server: ChaosServer;
  readonly app: CustomerApp;
  readonly random: () => number;
  traces: SentTrace[] = [];
  /** Traces that retention deleted. Their late spans make new traces once they are no longer rejected. */
  readonly expired: SentTrace[] = [];
  /** Applications for example data, which only an empty one accepts. */
  readonly exampleApplications: { path: string; headers: Body }[] = [];
  /** Texts of completed erasures, which must be nowhere. */
  readonly erased: { id: string; secret: string }[] = [];
  /** Ids of keys that were created, which the audit log must name. */
  readonly audited: string[] = [];
  /** Faults that an action saw by itself. */
  readonly faults: string[] = [];
  readonly folder: string;
  private readonly cleanup: AsyncDisposableStack;
  private neighbour: Neighbour;

  private constructor(
    parts: { server: ChaosServer; app: CustomerApp; folder: string; cleanup: AsyncDisposableStack },
    seed: number,
  ) {
    this.server = parts.server;
    this.app = parts.app;
    this.folder = parts.folder;
    this.cleanup = parts.cleanup;
    this.random = mulberry32(seed);
    this.neighbour = startNeighbour(this.store, SPANS, 100);
    this.cleanup.defer(() => this.stopNeighbour());
  }

  static async open(seed: number): Promise<Fixture> {
    const cleanup = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-storm-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const judge = cleanup.use(
      await startStandInJudge(({ messages }) => ({
        say: { rationale: 'It is.', verdict: (messages.at(-1)?.length ?? 0) % 3 === 0 ? 'no' : 'yes' },
      })),
    );
    const judgesFile = join(folder, 'judges.json');
    const only = { provider: 'openai-compatible', baseUrl: judge.openAi, model: 'stand-in', concurrency: 4 };
    writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
    const pricesFile = join(folder, 'prices.json');
    writeFileSync(pricesFile, JSON.stringify({ 'model-a': { input: 1, output: 2 } }));
    const server = await ChaosServer.open({ folder, disk: { folder }, judgesFile, pricesFile });
    cleanup.defer(() => server.destroy());
    const app = await startCustomerApp();
    cleanup.defer(() => app.close());
    const fixture = new Fixture({ server, app, folder, cleanup }, seed);
    await fixture.call('POST', '/v0/webhook', { url: app.url });
    fixture.appWorks(true);
    await fixture.call('POST', '/v0/tasks', {
      title: 'Capitals',
      type: 'STATIC',
      inputExamples: ['Capital of France?'],
    });
    return fixture;
  }

  get pricesFile(): string {
    return join(this.folder, 'prices.json');
  }

  get store(): string {
    return join(this.server.dataDir, 'touchstone.db');
  }

  /** Row that another program, which opens and closes the file, read last. */
  get seenOutside(): unknown {
    return this.neighbour.last;
  }

  stopNeighbour(): Promise<void> {
    return this.neighbour.stop();
  }

  get now(): number {
    return Date.now() + this.server.shiftMs;
  }

  upTo(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.upTo(list.length)];
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.upTo(16).toString(16)).join('');
  }

  /** Calls the API. A connection that broke counts as status 0. */
  async call(method: string, path: string, body?: unknown, headers: Body = {}): Promise<Reply> {
    const isText = typeof body === 'string';
    try {
      const response = await fetch(this.server.url + path, {
        method,
        headers: {
          ...this.server.headers,
          ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...(headers as Record<string, string>),
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 500 && response.status !== 503)
        this.faults.push(`${method} ${path} responded with ${response.status}: ${text.slice(0, 200)}`);
      return { status: response.status, text, json: jsonOf(text) };
    } catch {
      return { status: 0, text: '', json: undefined };
    }
  }

  /** Returns the entries of a list, the oldest first, so that a choice among them is the same for the same seed. */
  async list(path: string, orderBy = 'createdAt'): Promise<Record<string, unknown>[]> {
    const mark = path.includes('?') ? '&' : '?';
    const { json } = await this.call('GET', `${path}${mark}limit=100&orderBy=${orderBy}&orderDir=asc`);
    return (json as { data?: Record<string, unknown>[] } | undefined)?.data ?? [];
  }

  /** Returns the id of one entry of a list, or undefined if it is empty. */
  async idOf(path: string, orderBy?: string): Promise<string | undefined> {
    return this.pick(await this.list(path, orderBy))?.['id'] as string | undefined;
  }

  /** Runs a command on the folder of the server; an exit code other than 0 or 1 is a fault. */
  async command(...args: string[]): Promise<number> {
    const { code, stderr } = await run([...args, '--data-dir', this.server.dataDir]);
    if (code !== 0 && code !== 1) this.faults.push(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return code ?? -1;
  }

  /** Makes the app answer its webhook with a span, or break the connection. */
  appWorks(works: boolean): void {
    if (!works) return this.app.behave(breakOff);
    this.app.behave(async (received, response) => {
      const [, traceId = '', parentSpanId] = String(received.headers['traceparent']).split('-');
      const { testId = '' } = (jsonOf(received.body) ?? {}) as { testId?: string };
      const attributes = { 'service.test.id': testId, 'input.value': 'Capital?', 'output.value': 'Paris' };
      const span = { traceId, spanId: `a${testId.replaceAll('-', '').slice(0, 15)}`, parentSpanId };
      await this.call(
        'POST',
        '/v1/traces',
        otlp([spanOf({ ...span, name: 'answer' }, attributes, this.now)]),
      );
      return answer(200)(received, response);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cleanup.disposeAsync();
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export const otlp = (spans: readonly unknown[]): Body => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

/** Returns a span of OTLP with texts as attributes, which ends at a time in Unix milliseconds. */
export function spanOf(fields: Body, attributes: Readonly<Record<string, string>>, now: number): Body {
  const end = BigInt(Math.trunc(now)) * 1_000_000n;
  return {
    startTimeUnixNano: String(end - 5_000_000n),
    endTimeUnixNano: String(end),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
    ...fields,
  };
}
