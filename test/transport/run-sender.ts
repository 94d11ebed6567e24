/** Runs a sender against a server, and counts what is stored of its trace. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTraceId } from '../e2e/otlp-sender.ts';
import { until } from '../support/until.ts';
import type { Asked } from '../support/ledger.ts';
import { commandOf, type Sender } from './senders.ts';

export interface Work {
  spans: number;
  paceMs: number;
  batch: number;
  contentBytes: number;
}

export interface Target {
  url: string;
  grpcPort: number | null;
  headers: Readonly<Record<string, string>>;
}

const POLL_MS = 100;
/** Longer than the exporters retry. */
const PATIENCE_MS = 45_000;
const MAX_SHOWN = 2_000;

export class RunningSender {
  readonly sender: Sender;
  private readonly work: Work;
  private readonly traceId = newTraceId();
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private said = '';

  private constructor(sender: Sender, work: Work, child: (traceId: string) => ChildProcess) {
    this.sender = sender;
    this.work = work;
    this.child = child(this.traceId);
    this.exited = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.said = (this.said + bytes.toString()).slice(-MAX_SHOWN);
      });
  }

  static async start(sender: Sender, target: Target, work: Work): Promise<RunningSender> {
    const [program, ...args] = await commandOf(sender);
    return new RunningSender(sender, work, (traceId) =>
      spawn(program, args, {
        env: environment(sender, target, work, traceId),
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  /** Returns the names of the stored spans of its trace, in any order. */
  async stored(server: Asked): Promise<string[]> {
    const { status, json } = await server.call('GET', `/v0/traces/${this.traceId}/spans?limit=1000`);
    if (status === 404) return [];
    return (json as { data: { name?: string }[] }).data.flatMap(({ name }) =>
      name === undefined ? [] : [name],
    );
  }

  /** Waits until a span is stored. Throws what it printed when there will be none. */
  async begin(server: Asked): Promise<void> {
    const hasBegun = async (): Promise<boolean> => (await this.stored(server)).length > 0;
    await until(async () => this.hasEnded || (await hasBegun()));
    if (!(await hasBegun())) throw new Error(`${this.sender.name} sends nothing: ${this.said}`);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until all is stored, or nothing more will be, and ends the sender. Returns what it printed. */
  async end(server: Asked): Promise<string> {
    const patience = Date.now() + PATIENCE_MS;
    while (Date.now() < patience && (await this.stored(server)).length < this.work.spans && !this.hasEnded)
      await sleep(POLL_MS);
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS);
    await this.exited;
    clearTimeout(timer);
    return this.said;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** Returns the names of all spans of some work, sorted. */
export const expectedNames = ({ spans }: Work): string[] =>
  Array.from({ length: spans }, (_, i) => `span ${i}`).toSorted();

function environment(
  { protocol, timeout }: Sender,
  { url, grpcPort, headers }: Target,
  { spans, paceMs, batch, contentBytes }: Work,
  traceId: string,
): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? `http://127.0.0.1:${grpcPort}` : url,
    OTEL_EXPORTER_OTLP_HEADERS: Object.entries(headers)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    ...(timeout !== undefined && { OTEL_EXPORTER_OTLP_TIMEOUT: timeout }),
    TRACE_ID: traceId,
    SPANS: String(spans),
    PACE_MS: String(paceMs),
    BATCH: String(batch),
    CONTENT_BYTES: String(contentBytes),
  };
}
