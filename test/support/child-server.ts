/** A server in a process of its own: one that can be killed, and whose memory is its alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { programWith } from './build.ts';
import { plainEnvironment } from './environment.ts';
import type { TypedCall } from './typed-call.ts';

/** Presets for the first start over a folder; the same for every start over it. */
export interface Presets {
  applicationId: string;
  apiKey: string;
}

export const newPresets = (): Presets => ({ applicationId: randomUUID(), apiKey: generateKey().text });

export interface ChildServerOptions {
  dataDir: string;
  presets: Presets;
  /** Port for HTTP. Default: any free one. */
  port?: number;
  env?: Readonly<Record<string, string>>;
}

export interface ChildReply {
  status: number;
  text: string;
  json: unknown;
}

/** Fields of the log line of a server that listens. */
interface Listening {
  url: string;
  grpcPort: number | null;
}

export class ChildServer {
  readonly url: string;
  /** Port of OTLP over gRPC; null unless the environment has one. */
  readonly grpcPort: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  /** Lines of its log and of standard error so far. */
  readonly said: readonly string[];
  private readonly child: ChildProcess;

  private constructor(
    child: ChildProcess,
    said: readonly string[],
    { url, grpcPort }: Listening,
    { apiKey, applicationId }: Presets,
  ) {
    this.child = child;
    this.said = said;
    this.url = url;
    this.grpcPort = grpcPort;
    this.headers = { 'x-api-key': apiKey, 'x-application-id': applicationId };
    this.exited = ended(child);
  }

  /** Resolves when it listens. */
  static async start({ dataDir, presets, port = 0, env = {} }: ChildServerOptions): Promise<ChildServer> {
    const child = spawn(...programWith(['serve', '--port', String(port), '--data-dir', dataDir]), {
      env: {
        ...plainEnvironment(),
        TOUCHSTONE_BOOTSTRAP_ORG_ID: 'org-1',
        TOUCHSTONE_BOOTSTRAP_APPLICATION_ID: presets.applicationId,
        TOUCHSTONE_BOOTSTRAP_API_KEY: presets.apiKey,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<Listening>();
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      if (line.includes('"message":"listening"')) resolve(JSON.parse(line) as Listening);
    });
    void ended(child).then((how) => reject(new Error(`the server ended (${how}): ${said.join('\n')}`)));
    return new ChildServer(child, said, await promise, presets);
  }

  async call(method: string, path: string, body?: unknown): Promise<ChildReply> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, text, json };
  }

  /** Makes a call that must succeed. */
  ok: TypedCall = async (method, address, { body } = {}) => {
    const { status, text, json } = await this.call(method, address, body);
    if (status >= 300) throw new Error(`${method} ${address}: ${status} ${text}`);
    return json as never;
  };

  /** Sends a signal and waits for the end. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> {
    this.child.kill(signal);
    return this.exited;
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  /** Resident memory now, in bytes. */
  get residentBytes(): number {
    return this.statusKib('VmRSS') * 1024;
  }

  /** The most it ever was. */
  get peakResidentBytes(): number {
    return this.statusKib('VmHWM') * 1024;
  }

  private statusKib(name: string): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  }
}

async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? String(child.signalCode);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? String(signal);
}
