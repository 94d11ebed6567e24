/** The applications of the cases, each with what its case has before. */
import type { Case } from './case.ts';
import { type Harness, Scenario } from './harness.ts';

/** Cases that change nothing share an application with those that have the same before. */
export class Scenarios {
  private readonly harness: Harness;
  private readonly shared = new Map<unknown, Promise<Scenario>>();

  constructor(harness: Harness) {
    this.harness = harness;
  }

  /** Returns the application of a case; `onEnd` is called with what closes it, unless others share it. */
  of(wanted: Case, onEnd: (close: () => Promise<void>) => void): Promise<Scenario> {
    const key = keyOf(wanted);
    if (key === null) return this.open(wanted, onEnd);
    const scenario = this.shared.get(key) ?? this.open(wanted);
    this.shared.set(key, scenario);
    return scenario;
  }

  async close(): Promise<void> {
    for (const scenario of await Promise.all(this.shared.values())) await scenario.end();
  }

  private async open(
    { given = [], on = 'usual' }: Case,
    onEnd?: (close: () => Promise<void>) => void,
  ): Promise<Scenario> {
    const scenario = await Scenario.begin(this.harness, on);
    onEnd?.(() => scenario.end());
    await scenario.prepare(given);
    return scenario;
  }
}

/** What cases have in common that can share an application; null when a case needs one of its own. */
function keyOf({ request, status, given = [], on = 'usual', received, after }: Case): unknown {
  const isRead = request.startsWith('GET ');
  const isRejected = status >= 400 && status < 500;
  if (!(isRead || isRejected) || on !== 'usual' || received !== undefined || after !== undefined) return null;
  // What is rejected may be counted, so it is kept apart from what is read.
  if (given.every((step) => typeof step === 'string')) return `${isRead} ${given.join()}`;
  return isRead ? given : null;
}
