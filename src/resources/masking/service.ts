import { createHash } from 'node:crypto';
import { type CompiledRules, compileRules, Masker } from '../../masking/masker.ts';
import { type AppliedRules, isEmpty, type SlowPattern } from '../../masking/rules.ts';
import { type SuspendedPattern, Suspensions } from '../../masking/suspensions.ts';
import type { MaskedCount } from '../../masking/tally.ts';
import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import { createShortCache, type ShortCache } from '../../runtime/short-cache.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { getMasking, recordMasked } from './calls.ts';
import { isTaken } from './contract.ts';
import { maskedFormsOf } from './masked-forms.ts';

const DAY_MS = 86_400_000;
/** Milliseconds for which rules that another process changed may still apply. */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
/** Name of all own patterns in the metric: those of one organisation are no business of another, and have no bound. */
const OWN = 'own';
/** Most applications whose counts wait to be stored. */
const MAX_WAITING = 1_000;

export interface MaskingOptions extends StoreCalls {
  secretBox: SecretBox;
  metrics: Pick<Metrics, 'maskedValues' | 'suspendedMaskingPatterns' | 'beforeScrape'>;
  log: Log;
}

/** Masking rules of all applications, and the counts of what they have masked. */
export class MaskingService {
  private readonly options: MaskingOptions;
  private readonly cache: ShortCache<(Omit<AppliedRules, 'suspended'> & { compiled: CompiledRules }) | null>;
  private readonly waiting = new Map<number, MaskedCount[]>();
  private storing: Promise<void> | null = null;
  private readonly suspensions: Suspensions;

  constructor(options: MaskingOptions) {
    this.options = options;
    this.suspensions = new Suspensions(options.now);
    const { metrics } = options;
    metrics.beforeScrape(() => metrics.suspendedMaskingPatterns.set(this.suspensions.count()));
    this.cache = createShortCache((application) => this.load(Number(application)), {
      ageMs: CACHE_MS,
      maxEntries: MAX_CACHED,
      elapsed: () => performance.now(),
    });
  }

  /** Returns the rules of an application; null when it has none. */
  async rulesOf(application: number): Promise<AppliedRules | null> {
    const found = await this.cache.get(String(application));
    if (found === null) return null;
    const { rules, key } = found;
    const suspended = this.suspensions.of(application).map(({ name }) => name);
    return { version: `${found.version} ${suspended.join(' ')}`, rules, key, suspended };
  }

  /** Returns a masker for texts of an application; null when it has no rules. */
  async open(application: number): Promise<Masker | null> {
    const found = await this.cache.get(String(application));
    if (found === null) return null;
    for (const { name } of this.suspensions.of(application))
      for (const pattern of found.compiled.patterns) if (pattern.name === name) pattern.cost.isSlow = true;
    return new Masker(found.compiled);
  }

  /** Makes the next request read the rules of an application again, and ends the suspension of its patterns. */
  private forget(application: number): void {
    this.suspensions.end(application);
    this.cache.forget(String(application));
  }

  /** Records what masking a request has shown: counts of masked values, and patterns that are too slow. */
  record(
    { application, masking }: { application: number; masking: AppliedRules | null },
    { masked, slow }: { masked: readonly MaskedCount[]; slow: readonly SlowPattern[] },
  ): void {
    this.count(application, masked);
    // Patterns of rules that have been saved again since are not suspended.
    if (slow.length === 0 || !masking?.version.startsWith(`${this.suspensions.saveOf(application)} `)) return;
    for (const { name, until, reason } of this.suspensions.suspend(application, slow))
      this.options.log.warn('a masking pattern is too slow and suspended; long texts are masked completely', {
        application,
        pattern: name,
        until: new Date(until).toISOString(),
        reason,
      });
  }

  /** Counts masked values. They are stored soon; a failure loses them, and no request waits for it. */
  count(application: number, counts: readonly MaskedCount[]): void {
    if (counts.length === 0) return;
    for (const { detector, count } of counts)
      this.options.metrics.maskedValues.inc({ detector: isTaken(detector) ? detector : OWN }, count);
    const waiting = this.waiting.get(application);
    if (waiting) addCounts(waiting, counts);
    else if (this.waiting.size < MAX_WAITING)
      this.waiting.set(
        application,
        counts.map((one) => ({ ...one })),
      );
    this.storing ??= this.storeAll().finally(() => (this.storing = null));
  }

  /** Waits until all counts are stored. */
  async close(): Promise<void> {
    await this.storing;
  }

  private readonly keyOf = (application: number): Uint8Array =>
    this.options.secretBox.derive(`${application}/masking`);

  /** Parts that routes need. */
  readonly forRoutes = {
    maskingKey: this.keyOf,
    suspendedPatterns: (application: number): SuspendedPattern[] => this.suspensions.of(application),
    onMaskingChanged: (application: number): void => this.forget(application),
    maskedForms: async (application: number, id: string): Promise<string[]> =>
      maskedFormsOf(id, {
        rules: await this.options.read(getMasking, { application }),
        key: this.keyOf(application),
      }),
  };

  private async load(application: number) {
    const rules = await this.options.read(getMasking, { application });
    if (isEmpty(rules)) return null;
    const key = this.keyOf(application);
    const hash = createHash('sha256').update(JSON.stringify(rules)).digest('base64');
    const version = `${this.suspensions.saveOf(application)} ${hash}`;
    return { version, rules, key, compiled: compileRules({ rules, key }) };
  }

  private async storeAll(): Promise<void> {
    for (const [application, counts] of this.waiting) {
      this.waiting.delete(application);
      try {
        await this.options.write(recordMasked, {
          application,
          day: Math.floor(this.options.now() / DAY_MS),
          counts,
        });
      } catch (error) {
        this.options.log.warn('counts of masked values were not stored', { error });
      }
    }
  }
}

/** Most entries of one application that wait; their attributes are bounded in each request too. */
const MAX_ENTRIES = 5_000;

function addCounts(all: MaskedCount[], more: readonly MaskedCount[]): void {
  const known = new Map(all.map((one) => [`${one.detector} ${one.attribute}`, one]));
  for (const one of more) {
    const entry = known.get(`${one.detector} ${one.attribute}`);
    if (entry) entry.count += one.count;
    else if (all.length < MAX_ENTRIES) all.push({ ...one });
  }
}
