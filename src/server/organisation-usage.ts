import type { Config } from '../config.ts';
import { judgeCostsByOrganisation } from '../evaluate/judge/calls.ts';
import type { JudgeDeps } from '../evaluate/judge/judge.ts';
import { StreamCounts } from '../runtime/event-streams.ts';
import { nearestToLimit, type OrganisationNumbers, type Quota } from '../runtime/organisation-metrics.ts';
import type { Organisations } from '../runtime/organisations.ts';
import type { Read } from '../storage/calls.ts';
import { createDecodingLimit, type DecodingLimit } from './decoding-limit.ts';
import type { HttpPools } from './pools.ts';

interface OrganisationUsageOptions {
  config: Pick<
    Config,
    | 'operatorOrganisation'
    | 'organisationApplications'
    | 'organisationDecodingSeconds'
    | 'organisationJudgeDollarsPerDay'
    | 'organisationJudgeDollarsPerMonth'
    | 'organisationStoredBytes'
    | 'organisationStreams'
  >;
  organisations: Organisations;
  pools: Pick<HttpPools, 'slots' | 'organisationUploads'>;
  read: Read;
  now: () => number;
}

interface JudgeCost {
  day: number;
  month: number;
}

/** Reads what organisations use, and how much they may use. */
export class OrganisationUsage {
  readonly streams: StreamCounts;
  readonly decoding: DecodingLimit;
  /** Settings of judges that concern organisations. */
  readonly ofJudges: Pick<JudgeDeps, 'groupOf' | 'onCost' | 'organisationLimits'>;
  private readonly options: OrganisationUsageOptions;

  constructor(options: OrganisationUsageOptions) {
    const { config, organisations } = options;
    this.options = options;
    this.streams = new StreamCounts(organisations.groupOf, config.organisationStreams);
    this.decoding = createDecodingLimit(organisations, config.organisationDecodingSeconds, () =>
      performance.now(),
    );
    this.ofJudges = {
      groupOf: organisations.groupOf,
      onCost: (application, dollars) => organisations.addJudgeCost(application, dollars),
      organisationLimits: {
        perDay: config.organisationJudgeDollarsPerDay,
        perMonth: config.organisationJudgeDollarsPerMonth,
      },
    };
  }

  /** Returns the numbers of all organisations that are known. */
  async list(): Promise<OrganisationNumbers[]> {
    const { organisations, read, now } = this.options;
    // Without the store, the numbers of the process are shown.
    const costs = await read(judgeCostsByOrganisation, { at: now() }).catch(() => []);
    const costOf = new Map(costs.map(({ orgId, ...cost }) => [orgId, cost]));
    return organisations
      .list()
      .map((numbers) => ({ ...numbers, quotas: this.quotasOf(numbers, costOf.get(numbers.id)) }));
  }

  /** Returns the quotas that members of an organisation may see: of their own, and those of the operator the nearest to a limit. */
  async seenBy(organisation: string): Promise<Pick<OrganisationNumbers, 'id' | 'quotas'>[]> {
    const all = await this.list();
    const own = all.filter(({ id }) => id === organisation);
    const isOperator = organisation === this.options.config.operatorOrganisation;
    const others = isOperator ? nearestToLimit(all).filter(({ id }) => id !== organisation) : [];
    return [...own, ...others].map(({ id, quotas }) => ({ id, quotas }));
  }

  private quotasOf(
    { id, applications, storedBytes }: OrganisationNumbers,
    { day, month }: JudgeCost = { day: 0, month: 0 },
  ): Quota[] {
    const { config, organisations, pools } = this.options;
    const group = organisations.groupOfId(id);
    const decoded = this.decoding.usedBy(id);
    return [
      { name: 'applications', used: applications, limit: config.organisationApplications },
      { name: 'streams', ...this.streams.fullest(group ?? id) },
      { name: 'uploads', used: pools.slots.used(group), limit: pools.organisationUploads },
      { name: 'decodingSecondsOfHour', used: decoded, limit: config.organisationDecodingSeconds },
      { name: 'storedBytes', used: storedBytes, limit: config.organisationStoredBytes },
      { name: 'judgeDollarsOfDay', used: day, limit: config.organisationJudgeDollarsPerDay },
      { name: 'judgeDollarsOfMonth', used: month, limit: config.organisationJudgeDollarsPerMonth },
    ];
  }
}
