import type { Owner } from '../contract/owner.ts';
import { AppError } from '../errors.ts';
import type { ExampleDataService } from '../resources/example-data/routes.ts';
import type { Log } from '../runtime/log.ts';
import { ExampleLoader, type LoadDeps } from './load.ts';
import { planExampleData } from './plan.ts';
import { removeExampleData } from './remove.ts';

/** Most applications whose example data this process loads or removes at once. */
const MAX_AT_ONCE = 2;
const RETRY_AFTER_S = 30;

/** Loads and removes example data in the background, one task for each application. */
export class ExampleData implements ExampleDataService {
  private readonly deps: LoadDeps & { log: Log };
  /** Work in progress, by application. */
  private readonly working = new Map<number, Promise<void>>();
  private readonly stopped = new AbortController();

  constructor(deps: LoadDeps & { log: Log }) {
    this.deps = deps;
  }

  isBusy(application: number): boolean {
    return this.working.has(application);
  }

  plan(): ReturnType<ExampleDataService['plan']> {
    if (this.working.size >= MAX_AT_ONCE)
      throw new AppError('unavailable', 'Example data of other applications is being loaded; retry later', {
        retryAfter: RETRY_AFTER_S,
      });
    const plan = planExampleData(this.deps.now());
    const load = (owner: Owner): void =>
      this.begin(owner, async (signal) => {
        await new ExampleLoader(this.deps, plan, { owner, signal }).load();
        await this.end(owner, null);
      });
    return { made: plan.made, load };
  }

  remove(owner: Owner, made: Parameters<ExampleDataService['remove']>[1]): void {
    if (this.isBusy(owner.application)) return;
    this.begin(owner, async (signal) => {
      await removeExampleData(this.deps, made, { owner, signal });
      await this.deps.write('forgetExampleData', { application: owner.application });
    });
  }

  /** Stops all work; what it was busy with can be removed after the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.working.values());
  }

  private begin(owner: Owner, work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.stopped;
    const done = work(signal)
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        this.deps.log.warn('example data was not completed', { application: owner.application, error });
        const failure = error instanceof AppError ? error.message : 'An unexpected error; see the log.';
        await this.end(owner, failure);
      })
      .catch((error: unknown) => {
        this.deps.log.warn('the end of example data was not stored', { error });
      })
      .finally(() => this.working.delete(owner.application));
    this.working.set(owner.application, done);
  }

  private end({ application }: Owner, failure: string | null): Promise<void> {
    return this.deps.write('endExampleData', { application, failure, at: this.deps.now() });
  }
}
