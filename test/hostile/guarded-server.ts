import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ChildServer, newPresets } from '../support/child-server.ts';
import type { Target } from './target.ts';

const MIB = 1024 * 1024;
/** Memory of requests in progress, as the server is configured. */
const BUDGET_MIB = 64;
const MAX_BODY_MIB = 16;
const WATCH_MS = 50;
/** Threads that start after the limit is set: the second that prepares, the one of checkpoints, and two that judge, in place of others. */
const LATER_THREADS = 4;
/** What the code of a thread reserves, most of it never used. */
const THREAD_BYTES = 640 * MIB;

/** What the server holds on behalf of clients. */
export interface Holdings {
  budgetBytes: number;
  sockets: number;
}

/**
 * A server whose memory is limited twice: the kernel rejects it more than the limit (RLIMIT_DATA, where `prlimit` is
 * installed), and it is killed when its resident memory passes the limit.
 */
export class GuardedServer {
  readonly port: number;
  readonly limitMib: number;
  /** MiB, since the last call of `resetPeak`. */
  peakMib = 0;
  /** How the process ended, if it did. */
  ended: string | null = null;
  private readonly child: ChildServer;
  private readonly folder: string;
  private readonly watch: NodeJS.Timeout;
  private readonly kill = (): void => void process.kill(this.child.pid, 'SIGKILL');

  private constructor(child: ChildServer, folder: string, limitMib: number) {
    this.child = child;
    this.folder = folder;
    this.limitMib = limitMib;
    this.port = Number(new URL(child.url).port);
    this.watch = setInterval(() => this.look(), WATCH_MS);
    // A runner that is ended early must not leave the server behind.
    process.on('exit', this.kill);
    void this.noteEnd();
  }

  static async start(limitMib: number): Promise<GuardedServer> {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'));
    const child = await ChildServer.start({
      dataDir: join(folder, 'data'),
      presets: newPresets(),
      env: {
        TOUCHSTONE_MEMORY_BUDGET_BYTES: `${BUDGET_MIB}MiB`,
        TOUCHSTONE_MAX_BODY_BYTES: `${MAX_BODY_MIB}MiB`,
        TOUCHSTONE_QUIET_MS: '50',
        TOUCHSTONE_ORPHAN_QUIET_MS: '50',
        TOUCHSTONE_LOG_LEVEL: 'info',
        TOUCHSTONE_NEW_ORGANISATIONS: 'yes',
      },
    });
    return new GuardedServer(child, folder, limitMib);
  }

  /** Creates an application of a new organisation, with a key of its own. */
  async newTarget(title: string, isShort: boolean): Promise<Target> {
    const { status, text, json } = await this.child.call('POST', '/v0/applications', {
      title,
      type: 'AGENT',
      newOrganisation: true,
    });
    if (status !== 201 && status !== 200) throw new Error(`answered ${status}: ${text}`);
    const { data, apiKey } = json as { data: { id: string }; apiKey: { key: string } };
    const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
    return { port: this.port, headers, isShort };
  }

  /** Has the kernel reject what would take the process over the limit; false where that is not possible. */
  setHardLimit(): boolean {
    try {
      const { VmData = 0, VmRSS = 0 } = this.status();
      const limit = (VmData - VmRSS) * 1024 + this.limitMib * MIB + LATER_THREADS * THREAD_BYTES;
      execFileSync('prlimit', ['--pid', String(this.child.pid), `--data=${limit}`]);
      return true;
    } catch {
      return false;
    }
  }

  resetPeak(): void {
    this.peakMib = 0;
  }

  /** Reads what is held from `/metrics` and from the descriptors of the process; null when it does not answer. */
  async holdings(): Promise<Holdings | null> {
    try {
      const { text } = await this.child.call('GET', '/metrics');
      const used = /^touchstone_memory_budget_usage_bytes (\S+)$/m.exec(text)?.[1];
      return { budgetBytes: Number(used), sockets: this.sockets() };
    } catch {
      return null;
    }
  }

  /** Waits until no more is held than before; returns what is held then, or after `seconds`. */
  async untilGivenBack(before: Holdings, seconds: number): Promise<Holdings | null> {
    const end = performance.now() + seconds * 1000;
    for (;;) {
      const held = await this.holdings();
      if (held && isGivenBack(held, before)) return held;
      if (performance.now() > end || this.ended) return held;
      await delay(250);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.watch);
    this.ended ??= 'stopped';
    await this.child.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async noteEnd(): Promise<void> {
    const how = await this.child.exited;
    process.off('exit', this.kill);
    this.ended ??= `ended (${how})`;
    clearInterval(this.watch);
  }

  private look(): void {
    const resident = this.status()['VmRSS'];
    if (resident === undefined) return;
    this.peakMib = Math.max(this.peakMib, Math.round(resident / 1024));
    if (this.peakMib <= this.limitMib || this.ended) return;
    this.ended = `killed at ${this.peakMib} MiB`;
    void this.child.stop('SIGKILL');
  }

  /** Sizes of /proc/<pid>/status in KiB; none where that is missing. */
  private status(): Record<string, number> {
    try {
      const text = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      const sizes = [...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)];
      return Object.fromEntries(sizes.map(([, name = '', size]): [string, number] => [name, Number(size)]));
    } catch {
      return {};
    }
  }

  private sockets(): number {
    try {
      const folder = `/proc/${this.child.pid}/fd`;
      return readdirSync(folder).filter((fd) => isSocket(`${folder}/${fd}`)).length;
    } catch {
      return 0;
    }
  }
}

/** A few connections more are those of the clients that look. */
export const isGivenBack = (held: Holdings, before: Holdings): boolean =>
  held.budgetBytes === 0 && held.sockets <= before.sockets + 2;

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false;
  }
}
