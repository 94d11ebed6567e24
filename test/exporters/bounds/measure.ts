/** Apps that send more than a server takes: how much memory they take, and how long their event loop stands still. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PYTHON_PACKAGE, testPython } from '../../support/python.ts';

const MIB = 2 ** 20;
/** Memory of the container for which the defaults of the exporters are made. */
export const CONTAINER_MIB = 256;

/** What the server does with a request; null when there is no server. */
type Behaviour = 'stores' | 'is slow' | 'is busy' | 'never responds' | null;

export interface Situation {
  title: string;
  server: Behaviour;
  spans: number;
  characters: number;
  spansPerTurn: number;
}

const LOAD = { spans: 2_000, characters: 400_000, spansPerTurn: 10 } as const;

export const SITUATIONS: readonly Situation[] = [
  { title: 'dead server, 2 000 spans of 400 kB', server: null, ...LOAD },
  { title: 'server that never responds, 2 000 spans of 400 kB', server: 'never responds', ...LOAD },
  { title: 'server that responds with 503, 2 000 spans of 400 kB', server: 'is busy', ...LOAD },
  { title: 'server that takes 1 s for a request, 2 000 spans of 400 kB', server: 'is slow', ...LOAD },
  { title: '200 spans of 5 MB', server: 'stores', spans: 200, characters: 5_000_000, spansPerTurn: 1 },
  {
    title: '40 000 spans of 200 characters in one turn',
    server: 'stores',
    spans: 40_000,
    characters: 200,
    spansPerTurn: 40_000,
  },
];

export const LANGUAGES = ['JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Measured {
  idleMib: number;
  peakMib: number;
  /** Longest processor time between two turns of the event loop, in milliseconds. */
  pauseMs: number;
  stats: Readonly<Record<string, number>>;
}

/**
 * Runs an app in a situation, with other variables if given. The kernel rejects memory beyond that of the container, of which an app
 * dies; that is an error with its last words.
 */
export async function measure(
  language: Language,
  { server, spans, characters, spansPerTurn }: Situation,
  variables: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  await using receiver = await startReceiver(server);
  const [program, ...args] = await programOf(language);
  const child = spawn(program, [...args, String(spans), String(characters), String(spansPerTurn)], {
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: join(PYTHON_PACKAGE, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      // What Node sets itself in such a container.
      NODE_OPTIONS: '--max-old-space-size=128',
      TOUCHSTONE_URL: receiver.url,
      TOUCHSTONE_API_KEY: 'sk_bounds',
      TOUCHSTONE_APPLICATION_ID: '5f0e3c9a-1d43-4a55-9c7e-0c7f5b1f0a01',
      TOUCHSTONE_STATE_DIR: 'off',
      // In milliseconds for JavaScript, and in seconds for Python.
      OTEL_EXPORTER_OTLP_TIMEOUT: language === 'Python' ? '2' : '2000',
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const isReady = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('ready\n')) resolve();
    });
  });
  await Promise.race([isReady, ended]);
  const idleMib = limitMemory(child.pid ?? 0);
  child.stdin.end('go\n');
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`The app ended with ${signal ?? code}: ${stderr}`);
  const { stats, pauseMs, peakBytes } = JSON.parse(stdout.split('\n')[1] ?? '') as {
    stats: Record<string, number>;
    pauseMs: number;
    peakBytes: number;
  };
  return { idleMib, peakMib: peakBytes / MIB, pauseMs, stats };
}

/** Has the kernel reject what would take a process over the memory of the container; returns what it takes now. */
function limitMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
  // What is reserved and not used stays so.
  const limit = (kib('VmData') - kib('VmRSS')) * 1024 + CONTAINER_MIB * MIB;
  execFileSync('prlimit', ['--pid', String(pid), `--data=${limit}`]);
  return kib('VmRSS') / 1024;
}

async function programOf(language: Language): Promise<[string, ...string[]]> {
  const app = (name: string): string => join(import.meta.dirname, name);
  if (language === 'Python') return [await testPython(), app('app.py')];
  return [process.execPath, app('app.mjs')];
}

const SLOW_MS = 1_000;

/** Starts a server that reads each request and keeps nothing of it. */
async function startReceiver(behaviour: Behaviour): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (behaviour === 'never responds') return;
      response.statusCode = behaviour === 'is busy' ? 503 : 200;
      const respond = (): void => void response.setHeader('content-type', 'application/json').end('{}');
      setTimeout(respond, behaviour === 'is slow' ? SLOW_MS : 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  if (behaviour === null) await close();
  return {
    // The first port is none of any server.
    url: `http://127.0.0.1:${behaviour === null ? 1 : port}`,
    [Symbol.asyncDispose]: async () => {
      if (behaviour !== null) await close();
    },
  };
}
