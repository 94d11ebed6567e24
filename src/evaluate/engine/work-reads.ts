import { AppError } from '../../errors.ts';
import type { Read } from '../../storage/calls.ts';
import { findEvalWork } from '../calls.ts';
import type { Target } from '../target.ts';
import type { EvalWork } from './work.ts';

/** Most targets of one read. */
const MAX_TARGETS = 16;
/** Most reads at once of one application: one for each reader, so that a giant trace does not delay all other targets. */
const MAX_READS = 2;

interface Waiting {
  target: Target;
  resolve: (work: EvalWork | null) => void;
  reject: (error: unknown) => void;
}

interface OfApplication {
  waiting: Waiting[];
  reads: number;
}

export type ReadWork = (application: number, target: Target) => Promise<EvalWork | null>;

/**
 * Creates a function that returns the pending evals of a target. Targets of one application that are requested together are read
 * together, and so are those that are requested while earlier reads are in progress: they share definitions, a snapshot and a
 * message. The callers limit the number of targets.
 */
export function workReads(read: Read): ReadWork {
  const applications = new Map<number, OfApplication>();

  const readSome = async (application: number, some: readonly Waiting[]): Promise<void> => {
    const targets = some.map(({ target }) => target);
    const found = await read(findEvalWork, { application, targets });
    for (const [index, work] of found.entries()) some[index]?.resolve(work);
    const rest = some.slice(found.length);
    if (rest.length > 0) await readSome(application, rest);
  };

  /** A target that cannot be read fails alone. */
  const readTogether = (application: number, some: readonly Waiting[]): Promise<void> =>
    readSome(application, some).catch(async (error: unknown) => {
      if (some.length === 1 || error instanceof AppError) for (const { reject } of some) reject(error);
      else for (const one of some) await readTogether(application, [one]);
    });

  const readAll = async (application: number, of: OfApplication): Promise<void> => {
    of.reads += 1;
    // Jobs that were claimed together request their targets one after the other.
    await new Promise(setImmediate);
    while (of.waiting.length > 0) await readTogether(application, of.waiting.splice(0, MAX_TARGETS));
    of.reads -= 1;
    if (of.reads === 0) applications.delete(application);
  };

  return (application, target) => {
    const { promise, resolve, reject } = Promise.withResolvers<EvalWork | null>();
    const of = applications.get(application) ?? { waiting: [], reads: 0 };
    applications.set(application, of);
    of.waiting.push({ target, resolve, reject });
    if (of.reads < MAX_READS) void readAll(application, of);
    return promise;
  };
}
