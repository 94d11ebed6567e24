import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCRAPE_STATES, SCRAPE_STATUSES } from '../../src/resources/scrape-jobs/states.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import {
  isOver,
  linking,
  type ScrapeJob,
  scraping,
  type Site,
  startSite,
  useSites,
} from './scrape-support.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let topicId: string;
const serve = useSites();
const { create, get, over, scraped, documentsOf } = scraping(() => server);
beforeAll(async () => {
  server = await sharedServer();
  const { json } = await server.call('POST', '/v0/topics', { body: { title: 'Docs' } });
  topicId = (json as { data: { id: string } }).data.id;
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATH = '/v0/scrape-jobs';

async function newQuickstart(): Promise<string> {
  const {
    status,
    text: answered,
    json,
  } = await server.call('POST', '/v0/quickstarts', { body: { name: 'Start' } });
  expect(status, answered).toBe(201);
  return (json as { data: { id: string } }).data.id;
}

describe('POST /v0/scrape-jobs', () => {
  it('fills in defaults', async () => {
    const site = await serve({ '/': linking('Home') });
    const job = await create({ name: ' Docs ', url: site.url });
    expect(job).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: job.createdAt,
      initiatedBy: server.apiKey.split('_')[1],
      name: 'Docs',
      url: site.url,
      status: 'MAPPING',
      reason: null,
      quickstartStatus: 'NOT_ASSOCIATED',
      quickstartId: null,
      topicId: null,
      type: 'KNOWLEDGE',
      assignee: null,
      maxPages: 50,
      maxDepth: 2,
      pathPrefix: null,
      pages: [],
      failedPages: [],
    });
    await over(job);
  });

  it('takes all fields, and makes documents as they say', async () => {
    const site = await serve({ '/docs/a': linking('A') });
    const body = {
      url: `${site.url}/docs/a`,
      maxPages: 500,
      maxDepth: 5,
      pathPrefix: '/docs/',
      type: 'POLICY',
      topicId,
      quickstartId: await newQuickstart(),
      assignee: 'ada',
      initiatedBy: 'bob',
    };
    const job = await create(body);
    expect(job).toMatchObject({ ...body, quickstartStatus: 'PENDING' });
    expect(await over(job)).toMatchObject({ ...body, status: 'COMPLETED', quickstartStatus: 'COMPLETED' });
    const { quickstartId } = body;
    expect(await documentsOf(job)).toMatchObject([
      { title: 'A', type: 'POLICY', status: 'DRAFT', topicId, quickstartId, assignee: 'ada' },
    ]);
  });

  const valid = { name: 'x', url: 'http://127.0.0.1:1' };
  const rejected: [rule: string, body: object, code: string, field: string][] = [
    ['a name in letters', { ...valid, name: ' ' }, 'too_small', 'name'],
    ['a whole URL', { ...valid, url: 'example.org' }, 'invalid_string', 'url'],
    ['a URL of the web', { ...valid, url: 'file:///etc/passwd' }, 'invalid_string', 'url'],
    ['a URL without credentials', { ...valid, url: 'http://a:b@127.0.0.1:1' }, 'invalid_string', 'url'],
    ['an address that is not private', { ...valid, url: 'http://10.0.0.1' }, 'invalid_string', 'url'],
    ['no metadata of a cloud', { ...valid, url: 'http://169.254.169.254/' }, 'invalid_string', 'url'],
    ['a prefix of its own path', { ...valid, pathPrefix: '/docs' }, 'custom', 'pathPrefix'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: `POST ${PATH}`,
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );

  it.each([
    ['STYLE_REVIEW', 'DRAFT'],
    ['FAILED', 'DRAFT'],
    ['COMPLETING', 'ACTIVE'],
    ['COMPLETE', 'ACTIVE'],
  ])('while its quickstart is %s makes documents that are %s', async (quickstart, status) => {
    const quickstartId = await newQuickstart();
    besideServer(server.folder, (database) =>
      database.run('UPDATE quickstart SET status = ? WHERE id = ?', quickstart, quickstartId),
    );
    const site = await serve({ '/': linking('Home') });
    const documents = await documentsOf(await scraped({ url: site.url, quickstartId }));
    expect(documents).toMatchObject([{ title: 'Home', status, quickstartId }]);
  });
});

describe('the states', () => {
  it('are all reached, and left for good when the job is over', () => {
    const reached = SCRAPE_STATUSES.flatMap((status) => Object.values(SCRAPE_STATES[status]));
    expect(new Set(['MAPPING', ...reached])).toEqual(new Set(SCRAPE_STATUSES));
    expect([SCRAPE_STATES.COMPLETED, SCRAPE_STATES.FAILED]).toEqual([{}, {}]);
  });

  it('show while the pages are found what is found, and can be ended by hand', async () => {
    let release: (() => void) | undefined;
    const site = await serve({
      '/': linking('Home', '/a', '/b'),
      '/a': (request, response) => {
        release = () => void linking('A')(request, response);
      },
      '/b': linking('B'),
    });
    const job = await create({ url: site.url });
    await until(() => release !== undefined);
    const seen = await get(job);
    expect(seen).toMatchObject({ status: 'MAPPING' });
    expect(seen.pages).toEqual([
      { url: `${site.url}/`, title: 'Home' },
      { url: `${site.url}/a` },
      { url: `${site.url}/b` },
    ]);

    const cancelled = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.json).toMatchObject({
      data: { status: 'FAILED', reason: 'The scrape job was cancelled.', pages: [] },
    });
    release?.();
    const again = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect([again.status, again.json]).toEqual([409, { message: 'The scrape job is already FAILED' }]);
    // The next job of the application has its turn, so the one before has ended.
    await scraped({ url: site.url, maxDepth: 0 });
    expect(await get(job)).toMatchObject({ status: 'FAILED', reason: 'The scrape job was cancelled.' });
    expect(site.asked()).not.toContain('/b');
    expect(await documentsOf(job)).toEqual([]);
  });

  it('forbid to cancel what is completed', async () => {
    const site = await serve({ '/': linking('Home') });
    const job = await scraped({ url: site.url });
    const { status, json } = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect([status, json]).toEqual([409, { message: 'The scrape job is already COMPLETED' }]);
    expect(await get(job)).toEqual(job);
  });
});

describe('scrape jobs', () => {
  let tenant: Tenant;
  let site: Site;
  let quickstartId: string;
  const list = async (query: string): Promise<{ data: ScrapeJob[]; pagination: unknown }> => {
    const {
      status,
      text: answered,
      json,
    } = await server.call('GET', `${PATH}?${query}`, { headers: tenant.headers });
    expect(status, answered).toBe(200);
    return json as { data: ScrapeJob[]; pagination: unknown };
  };
  beforeAll(async () => {
    tenant = await server.newTenant();
    site = await startSite({ '/': linking('Home') });
    const made = await server.call('POST', '/v0/quickstarts', {
      body: { name: 'x' },
      headers: tenant.headers,
    });
    quickstartId = (made.json as { data: { id: string } }).data.id;
    for (const [name, path] of [
      ['b', '/'],
      ['a', '/missing'],
      ['c', '/'],
      ['a', '/'],
    ] as const)
      await create({ name, url: site.url + path, ...(name === 'c' ? { quickstartId } : {}) }, tenant.headers);
    await until(
      () => list(''),
      ({ data }) => data.every(isOver),
    );
  });
  afterAll(() => site.close());

  it.each([
    ['orderBy=name&orderDir=asc', 'aabc'],
    ['status=FAILED', 'a'],
    ['status=COMPLETED&orderBy=name&orderDir=asc', 'abc'],
    ['status=FAILED,COMPLETED&orderBy=name', 'cbaa'],
    ['status=MAPPING', ''],
    ['quickstartId=QUICKSTART', 'c'],
    ['quickstartId=QUICKSTART&status=FAILED', ''],
    [`quickstartId=${UNKNOWN}`, ''],
  ])('are listed by %s', async (query, expected) => {
    const { data } = await list(query.replace('QUICKSTART', quickstartId));
    expect(data.map((job) => (job as ScrapeJob & { name: string }).name).join('')).toBe(expected);
  });

  it('are listed with their first ten pages', async () => {
    const links = Array.from({ length: 11 }, (_, index) => `/${index}`);
    const large = await serve({ '/': linking('Home', ...links) });
    for (const link of links) large.routes[link] = linking(link);
    const job = await scraped({ url: large.url });
    expect(job.pages).toHaveLength(12);
    const listed = (await server.ok('GET', PATH)).data.find(({ id }) => id === job.id);
    expect(listed?.pages).toEqual(job.pages.slice(0, 10));
  });
});
