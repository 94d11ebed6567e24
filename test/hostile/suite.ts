import { type ChildProcess, fork } from 'node:child_process';
import type { AttackName } from './attacks.ts';
import type { Order } from './child.ts';
import { GuardedServer, type Holdings, isGivenBack } from './guarded-server.ts';
import { type Measurement, VERDICT } from './neighbour.ts';
import { plainEnvironment } from '../support/environment.ts';

export interface Plan {
  attacks: readonly AttackName[];
  isShort: boolean;
  /** How long the neighbour measures itself alone, and then beside each attack. */
  aloneSeconds: number;
  besideSeconds: number;
  /** How soon after an attack all that it took is to be given back. */
  giveBackSeconds: number;
  /** Resident memory that the server may have. */
  limitMib: number;
}

export interface Row {
  attack: AttackName;
  did: string;
  alone: Measurement;
  beside: Measurement;
  peakMib: number;
  /** What is held when the attack is over, beyond what was held before; null when the server does not answer. */
  left: Holdings | null;
  isGivenBack: boolean;
  /** How the server ended during the attack, if it did. */
  ended: string | null;
  isHardLimited: boolean;
}

/** Attacks that never end: all memory that they took is to be released although they are still there. */
const HELD: readonly AttackName[] = ['half-open requests'];
/** The server gives a request two minutes. */
const HELD_SECONDS = 180;

/** A server and a neighbour that has measured itself alone. */
interface Harness {
  server: GuardedServer;
  neighbour: Child;
  alone: Measurement;
  before: Holdings;
  isHardLimited: boolean;
  close: () => Promise<void>;
}

/** Runs each attack with a neighbour that measures itself alone and beside it. */
export async function runSuite(plan: Plan, onRow: (row: Row) => void = () => undefined): Promise<Row[]> {
  const rows: Row[] = [];
  let harness: Harness | null = null;
  try {
    for (const attack of plan.attacks) {
      harness ??= await openHarness(plan);
      const row = await runAttack(plan, attack, harness);
      onRow(row);
      rows.push(row);
      // In the short form one server serves until an attack has left its traces.
      if (plan.isShort && !row.ended && row.isGivenBack) continue;
      await harness.close();
      harness = null;
    }
  } finally {
    await harness?.close();
  }
  return rows;
}

async function openHarness(plan: Plan): Promise<Harness> {
  const server = await GuardedServer.start(plan.limitMib);
  const neighbour = startChild();
  const close = async (): Promise<void> => {
    neighbour.kill();
    await server.stop();
  };
  try {
    const target = await server.newTarget('Neighbour', plan.isShort);
    const before = (await server.holdings()) ?? { budgetBytes: 0, sockets: 0 };
    await neighbour.ask({ neighbour: target });
    const isHardLimited = server.setHardLimit();
    // Warms up what is compiled at first use.
    await measure(neighbour, 1);
    return {
      server,
      neighbour,
      before,
      isHardLimited,
      alone: await measure(neighbour, plan.aloneSeconds),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function runAttack(plan: Plan, attack: AttackName, harness: Harness): Promise<Row> {
  const { server, neighbour, alone, before, isHardLimited } = harness;
  const attacker = startChild();
  try {
    server.resetPeak();
    await attacker.ask({ attack, target: await server.newTarget('Attacker', plan.isShort) });
    const beside = await measure(neighbour, plan.besideSeconds);
    const isHeld = HELD.includes(attack);
    if (isHeld) await server.untilGivenBack(before, HELD_SECONDS);
    const heldLeft = isHeld ? await server.holdings() : null;
    // An attacker that has lost its server may have ended already.
    const { did = '' } = (await attacker.ask({ stop: true }).catch(Object)) as { did?: string };
    const left = isHeld ? heldLeft : await server.untilGivenBack(before, plan.giveBackSeconds);
    return {
      attack,
      did,
      alone,
      beside,
      peakMib: server.peakMib,
      left: left && { budgetBytes: left.budgetBytes, sockets: left.sockets - before.sockets },
      isGivenBack: left !== null && isGivenBack(left, before),
      ended: server.ended,
      isHardLimited,
    };
  } finally {
    attacker.kill();
  }
}

const measure = async (neighbour: Child, seconds: number): Promise<Measurement> =>
  (await neighbour.ask({ measure: seconds })) as Measurement;

interface Child {
  /** Sends an order and waits for the next message; rejects when the process fails or ends. */
  ask: (order: Order) => Promise<unknown>;
  kill: () => void;
}

function startChild(): Child {
  const env = plainEnvironment();
  const child: ChildProcess = fork(new URL('./child.ts', import.meta.url), { env, execArgv: [] });
  return {
    ask: async (order) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const onExit = (): void => reject(new Error('the process ended'));
      child.once('message', resolve).once('exit', onExit);
      try {
        child.send(order);
        const message = await promise;
        const { error } = Object(message) as { error?: string };
        if (error !== undefined) throw new Error(error);
        return message;
      } finally {
        child.off('message', resolve).off('exit', onExit);
      }
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}

/** The numbers of a row that goals are set for. */
export interface Verdicts {
  /** Smallest share of its rate alone that an operation of the neighbour keeps, and which one that is. */
  share: number;
  least: string;
  /** Milliseconds, of all single requests. */
  p99Alone: number;
  p99Beside: number;
  verdictAlone: number;
  verdictBeside: number;
  /** Operation of single requests whose p99 grew the most, of those above GOOD_MS; null if none is. */
  slowest: { name: string; alone: number; beside: number } | null;
}

/** Latencies below this are good, whatever they are alone, milliseconds. */
export const GOOD_MS = 50;

export function verdictsOf({ alone, beside }: Pick<Row, 'alone' | 'beside'>): Verdicts {
  const shares = Object.entries(alone)
    .filter(([, { rate }]) => rate > 0)
    .map(([name, { rate }]) => [name, (beside[name]?.rate ?? 0) / rate] as const);
  const [least, share] = shares.reduce((worst, one) => (one[1] < worst[1] ? one : worst), ['', 1] as const);
  const requests = (name: string): boolean => name !== VERDICT;
  return {
    share,
    least,
    p99Alone: p99(alone, requests),
    p99Beside: p99(beside, requests),
    verdictAlone: p99(alone, (name) => !requests(name)),
    verdictBeside: p99(beside, (name) => !requests(name)),
    slowest: slowestOf(alone, beside),
  };
}

function slowestOf(alone: Measurement, beside: Measurement): Verdicts['slowest'] {
  const grown = Object.keys(alone)
    .filter((name) => name !== VERDICT)
    .map((name) => {
      const isIncluded = (other: string): boolean => other === name;
      return { name, alone: p99(alone, isIncluded), beside: p99(beside, isIncluded) };
    })
    .filter((one) => one.beside > GOOD_MS);
  return grown.toSorted((one, other) => other.beside / other.alone - one.beside / one.alone).at(0) ?? null;
}

function p99(measurement: Measurement, isIncluded: (name: string) => boolean): number {
  const latencies = Object.entries(measurement)
    .filter(([name]) => isIncluded(name))
    .flatMap(([, measured]) => measured.latencies)
    .sort((a, b) => a - b);
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * 0.99))] ?? Number.NaN;
}
