/** Rules of what the API, the metrics and other programs show, compared with the store. */
import type Sqlite from 'better-sqlite3';
import type { Fixture } from './fixture.ts';

const PAGE = 20;
const MAX_PAGES = 200;

type Rule = readonly [
  rule: string,
  check: (fixture: Fixture, store: Sqlite.Database) => Promise<string[]> | string[],
];

const one = (store: Sqlite.Database, sql: string): number =>
  store.prepare<[], number>(sql).pluck().get() ?? 0;

interface Listed {
  ids: string[];
  total: number;
  orders: string[];
}

async function walk(fixture: Fixture, path: string, field: string): Promise<Listed> {
  const found: Listed = { ids: [], total: 0, orders: [] };
  for (let page = 0; page < MAX_PAGES; page++) {
    const mark = path.includes('?') ? '&' : '?';
    const query = `skip=${page * PAGE}&limit=${PAGE}&orderBy=${field}&orderDir=asc`;
    const { json, status } = await fixture.call('GET', `${path}${mark}${query}`);
    if (status !== 200) throw new Error(`${path} responded with ${status}`);
    const { data, pagination } = json as { data: Record<string, unknown>[]; pagination: { total: number } };
    found.ids.push(...data.map((entry) => String(entry['id'])));
    found.orders.push(...data.map((entry) => String(entry[field])));
    found.total = pagination.total;
    if (data.length < PAGE) break;
  }
  return found;
}

/** Lists by path: the field by which they are ordered, and the SQL that counts their rows. */
const LISTS: readonly (readonly [path: string, field: string, count: string])[] = [
  ['/v0/traces?includeSamples=true&includeDeliveries=true', 'timestamp', 'SELECT count(*) FROM trace'],
  ['/v0/tests', 'createdAt', 'SELECT count(*) FROM test'],
  ['/v0/runs', 'createdAt', 'SELECT count(*) FROM run'],
  ['/v0/evals', 'createdAt', 'SELECT count(*) FROM eval WHERE superseded = 0'],
  ['/v0/tasks', 'createdAt', 'SELECT count(*) FROM task'],
  ['/v0/definitions', 'createdAt', 'SELECT count(*) FROM definition'],
  ['/v0/human-annotations', 'createdAt', 'SELECT count(*) FROM human_annotation'],
  ['/v0/experiments', 'createdAt', 'SELECT count(*) FROM experiment'],
  ['/v0/audit', 'createdAt', 'SELECT count(*) FROM audit_entry'],
  ['/v0/erasures', 'createdAt', 'SELECT count(*) FROM erasure'],
  ['/v0/tags', 'createdAt', 'SELECT count(*) FROM tag'],
];

const lists: Rule[] = LISTS.map(([path, field, count]) => [
  `${path} lists each row once, in order, and counts them`,
  async (fixture, store) => {
    const before = one(store, count);
    const { ids, total, orders } = await walk(fixture, path, field);
    // Rows that arrive while the pages are read move others: the list is compared only when nothing changed.
    if (one(store, count) !== before) return [];
    return [
      ...(new Set(ids).size === ids.length ? [] : ['an entry is on two pages']),
      ...(total === ids.length ? [] : [`the total is ${total}, and the pages have ${ids.length}`]),
      ...(orders.join() === orders.toSorted().join() ? [] : ['the entries are not in order']),
      ...(total > before ? [`${total} entries, and the store has ${before} rows`] : []),
    ];
  },
]);

const RULES: readonly Rule[] = [
  ...lists,
  [
    'facets of the status count all traces',
    async (fixture) => {
      const { json } = await fixture.call('GET', '/v0/traces/facets');
      const { traces, facets, isTruncated } = (
        json as {
          data: { traces: number; isTruncated: boolean; facets: Record<string, { traces: number }[]> };
        }
      ).data;
      const sum = (facets['status'] ?? []).reduce((total, facet) => total + facet.traces, 0);
      return isTruncated || sum === traces ? [] : [`the facets count ${sum} of ${traces} traces`];
    },
  ],
  [
    'a trace shows the spans that were acknowledged',
    async (fixture) => {
      const trace = fixture.traces.findLast(({ isDeleted }) => !isDeleted);
      if (!trace) return [];
      const { json, status } = await fixture.call('GET', `/v0/traces/${trace.id}/spans?limit=1000`);
      // Retention may have deleted it.
      if (status === 404) return [];
      const ids = new Set((json as { data: { id: string }[] }).data.map(({ id }) => id));
      const lost = trace.spans.filter(({ spanId }) => !ids.has(spanId));
      return lost.length === 0
        ? []
        : [`the trace ${trace.id} lacks ${lost.length} of ${trace.spans.length} spans`];
    },
  ],
  [
    'all acknowledged traces are stored unless they were deleted',
    (fixture, store) => {
      const deleted = store.prepare('SELECT 1 FROM tombstone WHERE trace_id = ?');
      const stored = store.prepare('SELECT 1 FROM trace WHERE trace_id = ?');
      const lost = fixture.traces.filter(({ id, isDeleted }) => {
        const bytes = Buffer.from(id, 'hex');
        return !isDeleted && !stored.get(bytes) && !deleted.get(bytes);
      });
      return lost.length === 0 ? [] : [`${lost.length} traces are lost, such as ${lost[0]?.id}`];
    },
  ],
  [
    'a trace that was deleted is not found',
    async (fixture) => {
      const trace = fixture.traces.findLast(({ isDeleted }) => isDeleted);
      if (!trace) return [];
      const { status } = await fixture.call('GET', `/v0/traces/${trace.id}`);
      return status === 404 ? [] : [`the deleted trace ${trace.id} responds with ${status}`];
    },
  ],
  [
    'the audit log names each key that was created',
    (fixture, store) => {
      const named = store.prepare('SELECT 1 FROM audit_entry WHERE resource_id = ?');
      return fixture.audited.filter((id) => !named.get(id)).map((id) => `no entry names the key ${id}`);
    },
  ],
  [
    'the server has its lock',
    async (fixture) => {
      const { json } = await fixture.call('GET', '/v0/system');
      const lock = (json as { data?: { store: { lock: string } } } | undefined)?.data?.store.lock;
      return lock === 'held' || process.platform !== 'linux' ? [] : [`the lock is ${lock}`];
    },
  ],
  [
    'the state of the server counts jobs as the store does',
    async (fixture, store) => {
      const { json } = await fixture.call('GET', '/v0/system');
      const jobs = (json as { data: { jobs: { dead: number }[] } }).data.jobs;
      const [shown, stored] = [
        jobs.reduce((sum, { dead }) => sum + dead, 0),
        one(store, `SELECT count(*) FROM job WHERE state = 'dead'`),
      ];
      return shown === stored ? [] : [`${shown} dead jobs are shown, ${stored} are stored`];
    },
  ],
  [
    'the health of the application is shown',
    async (fixture) => {
      const id = fixture.server.headers['x-application-id'];
      const { status } = await fixture.call('GET', `/v0/applications/${id}/health`);
      return status === 200 ? [] : [`the health responds with ${status}`];
    },
  ],
  [
    'metrics of ingest are shown',
    async (fixture) => {
      const { text } = await fixture.call('GET', '/metrics');
      return text.includes('touchstone_store_hold_checks_total')
        ? []
        : ['the metrics lack the checks of the store'];
    },
  ],
  [
    'pages are whole',
    (_world, store) => {
      const found = store.pragma('integrity_check(3)', { simple: true });
      return found === 'ok' ? [] : [String(found)];
    },
  ],
  ['the server did not end by itself', (fixture) => fixture.server.faults],
  ['no call failed with an error of the server', (fixture) => fixture.faults],
];

export async function checkShown(fixture: Fixture, store: Sqlite.Database): Promise<string[]> {
  const found: string[] = [];
  for (const [rule, check] of RULES)
    for (const fault of await check(fixture, store)) found.push(`${rule}: ${fault}`);
  return found;
}

export const SHOWN_RULES = RULES.length;
