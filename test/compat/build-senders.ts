/** Senders of languages that not every machine has: built where their tools are, otherwise listed as not run. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Protocol, Sender } from '../transport/senders.ts';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const MAX_BUILD_MS = 900_000;
const MAX_SHOWN = 160;

/** A client that could not run here. */
export interface NotRun {
  client: string;
  reason: string;
}
export interface Built {
  senders: Sender[];
  notRun: NotRun[];
}

interface Toolchain {
  client: string;
  /** Builds into a folder and returns the senders. Rejects if a tool or a package is missing. */
  build: (folder: string) => Promise<Sender[]>;
}

const GRPC_AND_HTTP: readonly Protocol[] = ['http/protobuf', 'grpc'];
const GO = join(HERE, 'go');
const JAVA = join(HERE, 'java');
const COLLECTOR_EXPORTERS = [
  ['otlp_http', 'gzip'],
  ['otlp_http', 'zstd'],
  ['otlp_http', 'snappy'],
  ['otlp_grpc', 'gzip'],
] as const;

const TOOLCHAINS: readonly Toolchain[] = [
  { client: 'OpenTelemetry for Go', build: buildGo },
  { client: 'OpenTelemetry Collector', build: buildCollector },
  { client: 'OpenTelemetry for Java', build: buildJava },
  { client: 'OpenTelemetry for .NET', build: () => Promise.reject(new Error('has no sender here yet')) },
];

/** Builds all senders that can be built, and reports progress. */
export async function buildSenders(folder: string): Promise<Built> {
  mkdirSync(folder, { recursive: true });
  const built: Built = { senders: [], notRun: [] };
  for (const { client, build } of TOOLCHAINS) {
    console.log(`building: ${client}`);
    try {
      built.senders.push(...(await build(folder)));
    } catch (error) {
      const reason = ((error as { stderr?: string }).stderr ?? '') || (error as Error).message;
      const [line = ''] = reason.trim().split('\n');
      console.log(`  not run: ${line.slice(0, MAX_SHOWN)}`);
      built.notRun.push({ client, reason: line.slice(0, MAX_SHOWN) });
    }
  }
  return built;
}

const goVersion = (module: string): string =>
  new RegExp(`^\\s${module} v(\\S+)`, 'm').exec(readFileSync(join(GO, 'go.mod'), 'utf8'))?.[1] ?? '';

async function buildGo(folder: string): Promise<Sender[]> {
  const program = join(folder, 'go-sender');
  await run('go', ['build', '-buildvcs=false', '-o', program, './sender'], {
    cwd: GO,
    timeout: MAX_BUILD_MS,
  });
  return GRPC_AND_HTTP.map((protocol) => {
    const name = `go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptrace${protocol === 'grpc' ? 'grpc' : 'http'}`;
    return {
      name: `Go, ${protocol}`,
      protocol,
      packages: { [name]: goVersion(name) },
      command: [program, protocol],
      ...(protocol !== 'grpc' && { loses: { restart: 'does not retry a failed connection' } }),
    };
  });
}

async function buildCollector(folder: string): Promise<Sender[]> {
  const program = join(folder, 'collector');
  await run('go', ['build', '-buildvcs=false', '-o', program, './collector'], {
    cwd: GO,
    timeout: MAX_BUILD_MS,
  });
  const version = goVersion('go.opentelemetry.io/collector/otelcol');
  return COLLECTOR_EXPORTERS.map(([exporter, compression]) => ({
    name: `Collector, ${exporter} with ${compression}`,
    protocol: exporter === 'otlp_grpc' ? 'grpc' : 'http/protobuf',
    packages: { 'OpenTelemetry Collector': version },
    command: [process.execPath, join(HERE, 'collector.mjs'), program, exporter, compression],
  }));
}

async function buildJava(folder: string): Promise<Sender[]> {
  const [jars, classes] = [join(folder, 'jars'), join(folder, 'classes')];
  const copy = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await run('mvn', copy, { cwd: JAVA, timeout: MAX_BUILD_MS });
  const source = join(JAVA, 'src/main/java/Sender.java');
  await run('javac', ['-d', classes, '-cp', join(jars, '*'), source], { timeout: MAX_BUILD_MS });
  const pom = readFileSync(join(JAVA, 'pom.xml'), 'utf8');
  const name = 'opentelemetry-exporter-otlp';
  const version = new RegExp(`${name}</artifactId>\\s*<version>(.+)</version>`).exec(pom)?.[1] ?? '';
  return GRPC_AND_HTTP.map((protocol) => ({
    name: `Java, ${protocol}`,
    protocol,
    packages: { [name]: version },
    command: ['java', '-cp', [join(jars, '*'), classes].join(delimiter), 'Sender', protocol],
  }));
}
