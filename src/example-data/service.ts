import type { Owner } from '../contract/owner.ts';
import { AppError } from '../errors.ts';
import {
  beginExampleData,
  beginExampleRemoval,
  endExampleData,
  forgetExampleData,
  getExampleData,
} from '../resources/example-data/calls.ts';
import type { ExampleData as State } from '../resources/example-data/contract.ts';
import type { ExampleDataService } from '../resources/example-data/routes.ts';
import type { Log } from '../runtime/log.ts';
import { ExampleLoader, type LoadDeps } from './load.ts';
import { planExampleData } from './plan.ts';
import { removeExampleData } from './remove.ts';
import { exampleDataState, type Work } from './state.ts';

/** Most applications whose example data this process loads at once. */
const MAX_LOADS = 2;
const RETRY_AFTER_S = 30;

/** Loads and removes example data in the background, one task for each application. */
export class ExampleDataLoader implements ExampleDataService {
  private readonly deps: LoadDeps & { log: Log };
  /** Work in progress, by application: from before its beginning is stored until its end is known to be stored. */
  private readonly working = new Map<number, { work: Work; done: Promise<void> }>();
  private readonly stopped = new AbortController();

  constructor(deps: LoadDeps & { log: Log }) {
    this.deps = deps;
  }

  async stateOf(application: number): Promise<State> {
    const before = this.working.get(application);
    const stored = await this.deps.read(getExampleData, { application });
    // Work may have ended, or begun, after what was read.
    return exampleDataState(stored, (before ?? this.working.get(application))?.work ?? null);
  }

  async load(owner: Owner): Promise<void> {
    const { application } = owner;
    const { now, write } = this.deps;
    this.requireNoWork(application);
    const loads = [...this.working.values()].filter(({ work }) => work === 'LOADING');
    if (loads.length >= MAX_LOADS)
      throw new AppError('unavailable', 'Example data of other applications is being loaded; retry later', {
        retryAfter: RETRY_AFTER_S,
      });
    const begun = planExampleData().then(async (plan) => {
      await write(beginExampleData, { application, made: plan.made, at: now() });
      return plan;
    });
    await this.begin(owner, 'LOADING', begun, async (signal) => {
      await new ExampleLoader(this.deps, await begun, { owner, signal }).load();
      await this.end(owner, null);
    });
  }

  async remove(owner: Owner): Promise<void> {
    const { application } = owner;
    const { now, write } = this.deps;
    this.requireNoWork(application);
    const begun = write(beginExampleRemoval, { application, at: now() });
    await this.begin(owner, 'REMOVING', begun, async (signal) => {
      await removeExampleData(this.deps, await begun, { owner, signal });
      await write(forgetExampleData, { application });
    });
  }

  /** Stops all work; what it was busy with can be removed after the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all([...this.working.values()].map(({ done }) => done));
  }

  private requireNoWork(application: number): void {
    if (this.working.has(application))
      throw new AppError('conflict', 'The example data is still being loaded or removed');
  }

  /** Does the work after its beginning is stored. Resolves when it is; rejects when it cannot be. */
  private async begin(
    owner: Owner,
    work: Work,
    begun: Promise<unknown>,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const done = begun
      .then(
        () => this.run(owner, run),
        () => undefined,
      )
      .finally(() => this.working.delete(owner.application));
    this.working.set(owner.application, { work, done });
    await begun;
  }

  /** Does the work and records how it failed; never rejects. */
  private async run(owner: Owner, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { log } = this.deps;
    const { signal } = this.stopped;
    try {
      await run(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn('example data was not completed', { application: owner.application, error });
      const failure = error instanceof AppError ? error.message : 'An unexpected error; see the log.';
      await this.end(owner, failure).catch((fault: unknown) => {
        log.warn('the end of example data was not stored', { error: fault });
      });
    }
  }

  private end({ application }: Owner, failure: string | null): Promise<void> {
    return this.deps.write(endExampleData, { application, failure, at: this.deps.now() });
  }
}
