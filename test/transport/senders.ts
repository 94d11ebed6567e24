/** Real senders of OTLP: programs that are set up by environment variables alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testPython } from '../support/python.ts';

export type Protocol = 'http/json' | 'http/protobuf' | 'grpc';

/** The server responds with 503, or is away for a moment. */
export type Situation = 'overload' | 'restart';

/** A program that sends `SPANS` spans of the trace `TRACE_ID`, one each `PACE_MS`, in batches of `BATCH`. */
export interface Sender {
  name: string;
  protocol: Protocol;
  /** Packages and their versions. */
  packages: Readonly<Record<string, string>>;
  command: readonly [program: string, ...args: string[]];
  /** Value of OTEL_EXPORTER_OTLP_TIMEOUT, in the unit of the language: until then an exporter retries. A restart takes longer than the default on a busy machine. */
  timeout?: string;
  /** Why it loses spans in a situation; those that are missing lose none. */
  loses?: Readonly<Partial<Record<Situation, string>>>;
}

const PROGRAMS = join(import.meta.dirname, 'senders');
const ROOT = join(import.meta.dirname, '../..');
const JAVASCRIPT: Readonly<Record<Protocol, string>> = {
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
};
const PYTHON = {
  'http/protobuf': 'opentelemetry-exporter-otlp-proto-http',
  grpc: 'opentelemetry-exporter-otlp-proto-grpc',
} as const;

/** Senders of JavaScript and Python, which every run of the tests has, and those that `npm run compat` has built. */
export const SENDERS: readonly Sender[] = [
  ...(Object.keys(JAVASCRIPT) as Protocol[]).map(javaScriptSender),
  ...(Object.keys(PYTHON) as (keyof typeof PYTHON)[]).map(pythonSender),
  ...builtSenders(),
];

function javaScriptSender(protocol: Protocol): Sender {
  const name = JAVASCRIPT[protocol];
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  return {
    name: `JavaScript, ${protocol}`,
    protocol,
    packages: { [name]: String(dependencies[name] ?? devDependencies[name]) },
    command: [process.execPath, join(PROGRAMS, 'sender.mjs'), protocol],
    timeout: '40000',
    ...(protocol === 'grpc' && { loses: { overload: 'never retries', restart: 'never retries' } }),
  };
}

function pythonSender(protocol: keyof typeof PYTHON): Sender {
  const name = PYTHON[protocol];
  const requirements = readFileSync(join(ROOT, 'exporters/python/tests/requirements.txt'), 'utf8');
  const version = new RegExp(`^${name}==(.+)$`, 'm').exec(requirements)?.[1] ?? '';
  return {
    name: `Python, ${protocol}`,
    protocol,
    packages: { [name]: version },
    command: ['python', join(PROGRAMS, 'sender.py'), protocol],
    timeout: '40',
  };
}

/** Returns the senders that the file in COMPAT_SENDERS lists. */
function builtSenders(): Sender[] {
  const file = process.env['COMPAT_SENDERS'];
  return file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Sender[]);
}

/** Returns the command of a sender, with the Python of the tests. */
export async function commandOf({ command: [program, ...args] }: Sender): Promise<[string, ...string[]]> {
  return [program === 'python' ? await testPython() : program, ...args];
}
