import { setTimeout as delay } from 'node:timers/promises';
import { type Disk, limitFileSize } from './disk.ts';
import type { ChaosServer } from './server.ts';

/** What is done to a server while it works. */
export type Disturbance = (context: Context) => Promise<string>;

interface Context {
  server: ChaosServer;
  disk: Disk;
  random: () => number;
  print: (text: string) => void;
}

const SECOND = 1_000;
const MAX_DOWN_MS = 1_500;
const MAX_PAUSE_MS = 4 * SECOND;
const MAX_FULL_MS = 4 * SECOND;
const MAX_SHIFT_MS = 15 * 60 * SECOND;
const LEAST_CALM_MS = 500;
const CALM_MS = 4_000;

const rounded = (milliseconds: number): string => `${(milliseconds / SECOND).toFixed(1)} s`;

async function restart({ server, random }: Context, signal: 'SIGKILL' | 'SIGTERM'): Promise<string> {
  const how = await server.stop(signal);
  if (signal === 'SIGTERM' && how !== 0) server.faults.push(`SIGTERM ended the server with ${how}`);
  const downMs = random() * MAX_DOWN_MS;
  await delay(downMs);
  const started = performance.now();
  await server.start();
  return `down for ${rounded(downMs)}, started in ${rounded(performance.now() - started)}`;
}

async function pause({ server, random }: Context): Promise<string> {
  const pausedMs = random() * MAX_PAUSE_MS;
  server.signal('SIGSTOP');
  await delay(pausedMs);
  server.signal('SIGCONT');
  return rounded(pausedMs);
}

/** Fills the disk; sometimes the server is killed meanwhile, and starts once there is space again. */
async function fillDisk({ server, disk, random }: Context): Promise<string> {
  const fullMs = random() * MAX_FULL_MS;
  const isKilled = random() < 0.3;
  disk.fill?.();
  await delay(fullMs);
  if (isKilled) await server.stop('SIGKILL');
  disk.free();
  if (isKilled) await server.start();
  return `${rounded(fullMs)}${isKilled ? ', killed while it was full' : ''}`;
}

async function failWrites({ server, random }: Context): Promise<string> {
  const failingMs = random() * MAX_FULL_MS;
  if (!limitFileSize(server.pid, true)) return 'not possible here: prlimit is missing';
  await delay(failingMs);
  limitFileSize(server.pid, false);
  return rounded(failingMs);
}

async function shiftClock({ server, random }: Context): Promise<string> {
  // Away from the right time, then from there to another wrong time or back.
  const isBack = server.shiftMs !== 0 && random() < 0.5;
  const shiftMs = isBack ? 0 : Math.round((random() * 2 - 1) * MAX_SHIFT_MS);
  server.shiftClock(shiftMs);
  return shiftMs === 0 ? 'right again' : `${shiftMs > 0 ? '+' : '−'}${rounded(Math.abs(shiftMs))}`;
}

export const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'kill -9': (context) => restart(context, 'SIGKILL'),
  'stop and start': (context) => restart(context, 'SIGTERM'),
  pause,
  'disk full': fillDisk,
  'writes fail': failWrites,
  'clock shifted': shiftClock,
};

/**
 * Disturbs the server until `seconds` have passed, each kind of disturbance once in every round, and leaves it running on a
 * free disk with the right time. Returns how often each was done.
 */
export async function disturb(context: Context, seconds: number): Promise<Record<string, number>> {
  const { server, disk, random, print } = context;
  const end = performance.now() + seconds * SECOND;
  const counts: Record<string, number> = {};
  const names = Object.keys(DISTURBANCES).filter((name) => name !== 'disk full' || disk.fill !== null);
  let round: string[] = [];
  while (performance.now() < end) {
    await delay(LEAST_CALM_MS + random() * CALM_MS);
    if (round.length === 0) round = shuffled(names, random);
    const name = round.pop() as string;
    const what = await (DISTURBANCES[name] as Disturbance)(context);
    counts[name] = (counts[name] ?? 0) + 1;
    print(`${name}: ${what}`);
  }
  server.shiftClock(0);
  return counts;
}

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
}
