/** A worker of Cloudflare in `workerd`, the runtime itself: a bundle by esbuild, as wrangler makes it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type App, PACKAGE } from './built-package.ts';

export interface Worker extends AsyncDisposable {
  url: string;
  /** Everything that the worker has written to its console. */
  written: () => string;
}

/** What a worker gets beside its program. */
export interface WorkerOptions {
  /** Decides what the runtime offers; from 2026-08-04 on, Node's modules are among it. */
  compatibilityDate: string;
  variables: Readonly<Record<string, string>>;
}

const MODULES = join(PACKAGE, 'test/edge/node_modules');

let bundles = 0;

/** Builds the program of a worker and starts it on a free port. */
export async function startWorker(
  { folder }: App,
  program: string,
  { compatibilityDate, variables }: WorkerOptions,
): Promise<Worker> {
  const name = `worker-${(bundles += 1)}`;
  writeFileSync(join(folder, `${name}.mjs`), program);
  const options = ['--bundle', '--format=esm', '--conditions=workerd', '--external:cloudflare:*'];
  await promisify(execFile)(
    join(MODULES, 'esbuild/bin/esbuild'),
    [`${name}.mjs`, ...options, `--outfile=${name}-bundle.mjs`],
    { cwd: folder },
  );
  const bindings = Object.entries(variables).map(
    ([key, value]) => `(name = "${key}", text = ${JSON.stringify(value)})`,
  );
  writeFileSync(
    join(folder, `${name}.capnp`),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .app), (name = "loopback", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const app :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${name}-bundle.mjs")],
  bindings = [${bindings.join(', ')}],
  compatibilityDate = "${compatibilityDate}",
  globalOutbound = "loopback",
);
`,
  );
  const child = spawn(programOfWorkerd(), ['serve', '--control-fd=3', `${name}.capnp`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (written += text));
  const port = await Promise.race([
    portOf(child.stdio[3] as NodeJS.ReadableStream),
    once(child, 'close').then(() => undefined),
  ]);
  if (port === undefined) throw new Error(`workerd listens on no port: ${written}`);
  return {
    url: `http://127.0.0.1:${port}`,
    written: () => written,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.kill()) await once(child, 'exit');
    },
  };
}

/** The program for this machine, which `workerd` requires as an optional package. */
function programOfWorkerd(): string {
  const cloudflare = join(MODULES, '@cloudflare');
  const [found] = readdirSync(cloudflare).filter((name) => name.startsWith('workerd-'));
  if (found === undefined) throw new Error('workerd has no program for this machine');
  return join(cloudflare, found, 'bin/workerd');
}

async function portOf(events: NodeJS.ReadableStream): Promise<number | undefined> {
  let text = '';
  for await (const part of events) {
    text += String(part);
    for (const line of text.split('\n').slice(0, -1)) {
      const { event, port } = JSON.parse(line) as { event: string; port?: number };
      if (event === 'listen' && port !== undefined) return port;
    }
  }
  return undefined;
}
