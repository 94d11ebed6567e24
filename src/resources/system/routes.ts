import { z } from 'zod';
import { AT } from '../../contract/example-values.ts';
import { type Route, route } from '../../contract/route.ts';
import { systemChecks } from './checks.ts';
import { type OrganisationQuotas, system, type System, type SystemState } from './contract.ts';

export interface SystemDeps {
  readSystem: () => Promise<SystemState>;
  /** Returns what the organisations that members of one may see use. */
  usage: { seenBy(organisation: string): Promise<OrganisationQuotas[]> };
  now: () => number;
}

const exampleSystem: System = {
  version: '0.1.0',
  startedAt: AT,
  store: {
    fileBytes: 2_415_919_104,
    walBytes: 4_194_304,
    diskFreeBytes: 81_604_378_624,
    diskTotalBytes: 107_374_182_400,
    unusedBytes: 8_388_608,
    growthBytesPerDay: 73_400_320,
    daysLeft: 1_111.9,
    failedCommits: 0,
    failure: null,
    failedCheckpoints: 0,
    lock: 'held',
    recentCommitMs: 6.1,
    longestCommitMs: 41.2,
    waitingWrites: 0,
    waitingReads: 1,
    rejectedReads: 0,
  },
  process: {
    residentBytes: 314_572_800,
    memoryLimitBytes: 2_147_483_648,
    openFiles: 61,
    maxOpenFiles: 524_288,
    maxConnections: 4_096,
    lagMs: 0.4,
    requests: { usedBytes: 0, limitBytes: 201_326_592 },
    responses: { usedBytes: 0, limitBytes: 134_217_728 },
  },
  jobs: [{ kind: 'deliver', waiting: 3, running: 2, dead: 0, oldestDueAt: AT }],
  maintenance: { rewrites: 0, refreshes: 2, deletions: 0 },
  organisations: [
    {
      id: 'org-1',
      quotas: [
        { name: 'applications', used: 4, limit: 1_000 },
        { name: 'streams', used: 2, limit: 50 },
        { name: 'uploads', used: 0, limit: 6 },
        { name: 'decodingSecondsOfHour', used: 12.4, limit: 1_200 },
        { name: 'storedBytes', used: 2_147_483_648, limit: 21_474_836_480 },
        { name: 'judgeDollarsOfDay', used: 0.82, limit: 5 },
        { name: 'judgeDollarsOfMonth', used: 11.06, limit: null },
      ],
    },
  ],
  checks: [{ name: 'Write-ahead log', level: 'ok', message: '4.19 MB', advice: null }],
};

export const systemRoutes = ({ readSystem, usage, now }: SystemDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/system',
    operationId: 'getSystem',
    group: 'Server',
    summary: 'Get the state of the server',
    description:
      'Version, store, disk, memory, and the queues of all applications in numbers. `/metrics` has the same and more for dashboards of operators.',
    scope: 'admin',
    response: z.object({ data: system }),
    example: { response: { data: exampleSystem } },
    async handler({ principal }) {
      const [state, organisations] = await Promise.all([readSystem(), usage.seenBy(principal.organisation)]);
      return { data: { ...state, organisations, checks: systemChecks(state, now()) } };
    },
  }),
];
