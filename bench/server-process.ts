import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServerProcess {
  pid: number;
  port: number;
  /** Port of OTLP over gRPC; NaN where there is none. */
  grpcPort: number;
  headers: Record<string, string>;
  /** Resident memory in MiB: now, and the highest so far. NaN where /proc is missing. */
  memory: () => { now: number; peak: number };
  stop: () => Promise<void>;
}

const APPLICATION_ID = '5f0e3c9a-1d43-4a55-9c7e-0c7f5b1f0a01';
const API_KEY = `sk_benchbench12_${'b'.repeat(43)}`;

/** The folder whose server is measured: another checkout by `TOUCHSTONE_BENCH_CHECKOUT`, to compare two commits. */
const CHECKOUT = process.env.TOUCHSTONE_BENCH_CHECKOUT ?? path('..');

/** The server as everybody runs it, over an empty or given data folder. Only the build, `dist/main.js`, has the dashboard. */
export async function startServer(
  dataDir: string,
  program = 'src/main.ts',
  env: Readonly<Record<string, string>> = {},
  checkout = CHECKOUT,
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [join(checkout, program), 'serve', '--port', '0', '--data-dir', dataDir],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        TOUCHSTONE_LOG_LEVEL: 'info',
        TOUCHSTONE_GRPC_PORT: '0',
        TOUCHSTONE_BOOTSTRAP_APPLICATION_ID: APPLICATION_ID,
        TOUCHSTONE_BOOTSTRAP_API_KEY: API_KEY,
        ...env,
      },
    },
  );
  const ports = await portsFrom(child, /127\.0\.0\.1:(\d+)(?:.*gRPC on port (\d+))?/);
  return running(child, ports, { 'x-api-key': API_KEY, 'x-application-id': APPLICATION_ID });
}

/** The ingest half alone, storing nothing. */
export async function startDiscarding(): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path('./server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return running(child, await portsFrom(child, /"port":(\d+)/), {});
}

function running(
  child: ChildProcess,
  [port, grpcPort]: Ports,
  headers: Record<string, string>,
): ServerProcess {
  endWithParent(child);
  return {
    pid: child.pid ?? Number.NaN,
    port,
    grpcPort,
    headers,
    memory: () => ({ now: statusLine(child.pid, 'VmRSS'), peak: statusLine(child.pid, 'VmHWM') }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Kills the server when this process ends before it, also by a signal. */
function endWithParent(child: ChildProcess): void {
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  const exit = (): void => process.exit(130);
  process.on('exit', kill).on('SIGINT', exit).on('SIGTERM', exit);
  child.once('exit', () => process.off('exit', kill).off('SIGINT', exit).off('SIGTERM', exit));
}

type Ports = [http: number, grpc: number];

async function portsFrom(child: ChildProcess, pattern: RegExp): Promise<Ports> {
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line);
    if (!found) continue;
    child.stdout.resume();
    return [Number(found[1]), Number(found[2])];
  }
  throw new Error('the server ended before it listened');
}

function statusLine(pid: number | undefined, name: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
