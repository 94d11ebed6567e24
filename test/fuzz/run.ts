/** Runs kinds of inputs and counts what became of them. */
import type { Kind, Outcome } from './kind.ts';

export interface Fault {
  kind: string;
  index: number;
  faults: string[];
  input: string;
}

export interface Tally {
  inputs: number;
  seconds: number;
  /** Answer → inputs. */
  answers: Record<string, number>;
  faulty: number;
}

export interface Summary {
  tallies: Record<string, Tally>;
  /** The first of each kind. */
  faults: Fault[];
}

const MAX_FAULTS = 20;
/** Longer than any input may take on a slow machine. */
const HANG_MS = 60_000;

export interface RunOptions {
  seed: number;
  /** How many inputs of each kind, by name. */
  inputs: Readonly<Record<string, number>>;
  /** Index of the first input of each kind. */
  from?: number;
  progress?: (kind: string, done: number, of: number) => void;
}

/** Runs the kinds one after the other. */
export async function runKinds(kinds: readonly Kind[], options: RunOptions): Promise<Summary> {
  const summary: Summary = { tallies: {}, faults: [] };
  for (const kind of kinds) {
    const count = options.inputs[kind.name] ?? 0;
    if (count > 0) await runKind(kind, count, options, summary);
  }
  return summary;
}

async function runKind(kind: Kind, count: number, options: RunOptions, summary: Summary): Promise<void> {
  const tally: Tally = { inputs: 0, seconds: 0, answers: {}, faulty: 0 };
  summary.tallies[kind.name] = tally;
  const started = performance.now();
  let next = options.from ?? 0;
  const end = next + count;
  const note = (index: number, faults: string[], input: string): void => {
    tally.faulty += 1;
    const own = summary.faults.filter((fault) => fault.kind === kind.name).length;
    if (own < MAX_FAULTS) summary.faults.push({ kind: kind.name, index, faults, input });
  };
  const worker = async (): Promise<void> => {
    while (next < end) {
      const index = next++;
      const { answer, faults, show } = await within(kind.run(options.seed, index));
      tally.inputs += 1;
      tally.answers[answer] = (tally.answers[answer] ?? 0) + 1;
      if (faults.length > 0) note(index, faults, show());
      if (tally.inputs % 1_000 === 0) options.progress?.(kind.name, tally.inputs, count);
    }
  };
  await Promise.all(Array.from({ length: kind.concurrency }, worker));
  const faults = (await kind.check?.()) ?? [];
  if (faults.length > 0) note(end, faults, 'after all inputs');
  tally.seconds = (performance.now() - started) / 1_000;
}

async function within(outcome: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ answer: 'hang', faults: ['no answer'], show: () => '' }), HANG_MS);
  });
  const failed = (error: unknown): Outcome => ({
    answer: 'error',
    faults: [error instanceof Error ? String(error.stack) : String(error)],
    show: () => '',
  });
  try {
    return await Promise.race([outcome.catch(failed), hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Divides a number of inputs among kinds by their shares. */
export function divided(kinds: readonly Kind[], inputs: number): Record<string, number> {
  const shares = kinds.reduce((sum, { share }) => sum + share, 0);
  return Object.fromEntries(kinds.map(({ name, share }) => [name, Math.ceil((inputs * share) / shares)]));
}
