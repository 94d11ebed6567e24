import { AppError } from '../errors.ts';

interface Most {
  ofApplication: number;
  ofAll: number;
  /** Calls that are limited, in plural, such as “try-outs”. */
  what: string;
}

/** Returns what makes a call, unless as many of its application, or of all, are in progress: then it throws `unavailable`. */
export function callSlots({ ofApplication, ofAll, what }: Most) {
  const running = new Map<number, number>();
  return async <T>(application: number, call: () => Promise<T>): Promise<T> => {
    const mine = running.get(application) ?? 0;
    const all = [...running.values()].reduce((sum, count) => sum + count, 0);
    if (mine >= ofApplication || all >= ofAll)
      throw new AppError('unavailable', `too many ${what} run; retry later`);
    running.set(application, mine + 1);
    try {
      return await call();
    } finally {
      const left = (running.get(application) ?? 1) - 1;
      if (left === 0) running.delete(application);
      else running.set(application, left);
    }
  };
}
