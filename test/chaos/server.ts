import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { freePort } from '../support/free-port.ts';
import type { Disk } from './disk.ts';

/** Short times, so that tests end while the server is under attack. */
const SETTINGS = {
  TOUCHSTONE_QUIET_MS: '200',
  TOUCHSTONE_ORPHAN_QUIET_MS: '800',
  TOUCHSTONE_TRACE_DEADLINE_MS: '8000',
};
const CLOCK = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href;

export interface ChaosServerOptions {
  /** Folder for files of the harness. */
  folder: string;
  disk: Pick<Disk, 'folder'>;
  judgesFile: string;
  /** File with prices of models, which each start reads; the built-in prices apply without it. */
  pricesFile?: string;
}

/** A server over one store, on the same ports after each start. */
export class ChaosServer {
  readonly dataDir: string;
  readonly url: string;
  readonly port: number;
  readonly grpcPort: number;
  private readonly options: ChaosServerOptions;
  private readonly presets = newPresets();
  private readonly clockFile: string;
  private child: ChildServer | null = null;
  /** Number of processes so far. */
  starts = 0;
  /** How far the wall clock of the server is ahead, milliseconds. */
  shiftMs = 0;
  /** Processes that ended without being asked to. */
  readonly faults: string[] = [];

  private constructor(options: ChaosServerOptions, port: number, grpcPort: number) {
    this.options = options;
    this.dataDir = join(options.disk.folder, 'data');
    this.clockFile = join(options.folder, 'clock');
    this.port = port;
    this.grpcPort = grpcPort;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async open(options: ChaosServerOptions): Promise<ChaosServer> {
    const server = new ChaosServer(options, await freePort(), await freePort());
    server.shiftClock(0);
    await server.start();
    return server;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.running.headers;
  }

  get pid(): number {
    return this.running.pid;
  }

  async start(): Promise<void> {
    const child = await ChildServer.start({
      dataDir: this.dataDir,
      presets: this.presets,
      port: this.port,
      env: {
        ...SETTINGS,
        TOUCHSTONE_GRPC_PORT: String(this.grpcPort),
        TOUCHSTONE_JUDGES_FILE: this.options.judgesFile,
        ...(this.options.pricesFile === undefined ? {} : { TOUCHSTONE_PRICES_FILE: this.options.pricesFile }),
        NODE_OPTIONS: `--import=${CLOCK}`,
        CHAOS_CLOCK_FILE: this.clockFile,
      },
    });
    this.starts += 1;
    this.child = child;
    void this.watch(child);
  }

  /** Ends the process and returns how it ended. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> {
    const child = this.running;
    this.child = null;
    return child.stop(signal);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.pid, signal);
  }

  /** Sets the wall clock of the server so many milliseconds ahead of the real time. */
  shiftClock(milliseconds: number): void {
    this.shiftMs = milliseconds;
    writeFileSync(`${this.clockFile}.new`, String(milliseconds));
    renameSync(`${this.clockFile}.new`, this.clockFile);
  }

  /** Ends the process, whatever its state. */
  destroy(): void {
    if (this.child) process.kill(this.child.pid, 'SIGKILL');
    this.child = null;
  }

  private async watch(child: ChildServer): Promise<void> {
    const how = await child.exited;
    if (this.child === child) this.faults.push(`the server ended by itself (${how})`);
  }

  private get running(): ChildServer {
    if (!this.child) throw new Error('the server does not run');
    return this.child;
  }
}
