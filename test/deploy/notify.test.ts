/** What the server reports to systemd, by the program systemd-notify and a socket as systemd makes it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceManager } from '../../src/runtime/service-manager.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { demand } from '../../scripts/suite/needs.ts';

const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode().replace('\\n', ' '), flush=True)
`;

const folder = mkdtempSync(join(tmpdir(), 'touchstone-notify-'));
const socket = join(folder, 'notify');
let receiver: ChildProcess;
let received: string[] = [];

beforeAll(async () => {
  demand('systemd-analyze');
  demand('python3');
  receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  receiver.stdout?.setEncoding('utf8').on('data', (text: string) => {
    received.push(
      ...text.split('\n').filter((line) => /^[A-Z]+=1/.test(line) && !line.startsWith('BARRIER')),
    );
  });
  if (receiver.stdout) await once(receiver.stdout, 'data');
});
afterAll(() => {
  receiver.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const env = (watchdogMs: number) => ({
  PATH: process.env['PATH'] ?? '',
  NOTIFY_SOCKET: socket,
  WATCHDOG_USEC: String(watchdogMs * 1_000),
});

it('is ready once it listens, gives signs of life, and reports that it stops', async () => {
  received = [];
  const server = await ChildServer.start({
    dataDir: join(folder, 'data'),
    presets: newPresets(),
    env: env(300),
  });
  await expect.poll(() => received).toContain('READY=1');
  await expect.poll(() => received.filter((line) => line === 'WATCHDOG=1').length).toBeGreaterThan(2);
  expect(received).not.toContain('STOPPING=1');
  expect(await server.stop('SIGTERM')).toBe(0);
  await expect.poll(() => received).toContain('STOPPING=1');
});

it('gives no sign of life while the thread that writes does not respond, and continues when a check fails', async () => {
  received = [];
  const warned: string[] = [];
  const manager = serviceManager(env(30), { warn: (message) => void warned.push(message) });
  const { promise, reject } = Promise.withResolvers<never>();
  let checks = 0;
  manager.watch(() => {
    checks += 1;
    return checks === 1 ? promise : Promise.resolve();
  });
  manager.ready();
  await expect.poll(() => received).toContain('READY=1');
  expect(received).not.toContain('WATCHDOG=1');
  reject(new Error('the disk is full'));
  await expect.poll(() => received.filter((line) => line === 'WATCHDOG=1').length).toBeGreaterThan(1);
  manager.stopping();
  expect(warned).toEqual([]);
});

it('sends nothing where no service manager started it, and warns once where it cannot send', async () => {
  const warned: string[] = [];
  const log = { warn: (message: string) => void warned.push(message) };
  const alone = serviceManager({ PATH: env(0).PATH }, log);
  alone.watch(() => Promise.reject(new Error('nobody asks')));
  alone.ready();
  const mute = serviceManager({ NOTIFY_SOCKET: socket, PATH: folder }, log);
  mute.ready();
  mute.stopping();
  await expect.poll(() => warned).toEqual([expect.stringContaining('could not be notified')]);
});
