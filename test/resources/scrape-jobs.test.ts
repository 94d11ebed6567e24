import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient } from '../../src/deliver/guarded-client.ts';
import { fetchText } from '../../src/resources/scrape-jobs/fetch-page.ts';
import { SCRAPE_STATES, SCRAPE_STATUSES } from '../../src/resources/scrape-jobs/states.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { answer, type Behaviour, breakOff, hang } from '../support/customer-app.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/storage.ts';
import {
  isOver,
  linking,
  page,
  redirecting,
  type ScrapeJob,
  type Site,
  sitemap,
  startSite,
  text,
  until,
} from './scrape-support.ts';

let server: TestServer;
let other: Tenant;
let topicId: string;
const sites: Site[] = [];
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  const { json } = await server.call('POST', '/v0/topics', { body: { title: 'Docs' } });
  topicId = (json as { data: { id: string } }).data.id;
});
afterAll(() => server.close());
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATH = '/v0/scrape-jobs';
type Headers = Readonly<Record<string, string>>;

async function serve(routes: Record<string, Behaviour> = {}): Promise<Site> {
  const site = await startSite(routes);
  sites.push(site);
  return site;
}

async function create(body: object, headers: Headers = {}): Promise<ScrapeJob> {
  const call = { body: { name: 'Site', ...body }, headers };
  const { status, text: answered, json } = await server.call('POST', PATH, call);
  expect(status, answered).toBe(201);
  return (json as { data: ScrapeJob }).data;
}

const get = async ({ id }: { id: string }): Promise<ScrapeJob> =>
  ((await server.call('GET', `${PATH}/${id}`)).json as { data: ScrapeJob }).data;

const over = (job: ScrapeJob): Promise<ScrapeJob> => until(() => get(job), isOver);

/** A scrape job that is over. */
const scraped = async (body: object): Promise<ScrapeJob> => over(await create(body));

interface Document {
  id: string;
  title: string;
  type: string;
  status: string;
  content: string;
  scrapeJobId: string;
  topicId: string | null;
  quickstartId: string | null;
  assignee: string | null;
}

async function documentsOf({ id }: ScrapeJob): Promise<Document[]> {
  const { json } = await server.call('GET', '/v0/documents?limit=100&orderBy=createdAt&orderDir=asc');
  return (json as { data: Document[] }).data.filter(({ scrapeJobId }) => scrapeJobId === id);
}

const pathsOf = (job: ScrapeJob): string[] => job.pages.map(({ url }) => new URL(url).pathname);

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
    const job = await create({ name: ' Docs ', url: site.url, id: UNKNOWN, status: 'COMPLETED' });
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
  const refused: [rule: string, body: object, code: string, field: string][] = [
    ['a name', { url: valid.url }, 'invalid_type', 'name'],
    ['a name in letters', { ...valid, name: ' ' }, 'too_small', 'name'],
    ['a short name', { ...valid, name: 'x'.repeat(257) }, 'too_big', 'name'],
    ['a URL', { name: 'x' }, 'invalid_type', 'url'],
    ['a whole URL', { ...valid, url: 'example.org' }, 'invalid_string', 'url'],
    ['a URL of the web', { ...valid, url: 'file:///etc/passwd' }, 'invalid_string', 'url'],
    ['a URL without credentials', { ...valid, url: 'http://a:b@127.0.0.1:1' }, 'invalid_string', 'url'],
    ['a short URL', { ...valid, url: `http://127.0.0.1:1/${'x'.repeat(2_000)}` }, 'too_big', 'url'],
    ['an address that is not private', { ...valid, url: 'http://10.0.0.1' }, 'invalid_string', 'url'],
    ['no metadata of a cloud', { ...valid, url: 'http://169.254.169.254/' }, 'invalid_string', 'url'],
    ['a page at least', { ...valid, maxPages: 0 }, 'too_small', 'maxPages'],
    ['500 pages at most', { ...valid, maxPages: 501 }, 'too_big', 'maxPages'],
    ['a depth', { ...valid, maxDepth: -1 }, 'too_small', 'maxDepth'],
    ['a depth of 5 at most', { ...valid, maxDepth: 6 }, 'too_big', 'maxDepth'],
    ['a prefix of paths', { ...valid, pathPrefix: 'docs' }, 'invalid_string', 'pathPrefix'],
    ['a prefix of its own path', { ...valid, pathPrefix: '/docs' }, 'custom', 'pathPrefix'],
    ['a known type', { ...valid, type: 'RULE' }, 'invalid_enum_value', 'type'],
    ['a topic by its uuid', { ...valid, topicId: 'x' }, 'invalid_string', 'topicId'],
    ['a quickstart by its uuid', { ...valid, quickstartId: 'x' }, 'invalid_string', 'quickstartId'],
    ['an assignee in letters', { ...valid, assignee: '' }, 'too_small', 'assignee'],
    ['an initiator in letters', { ...valid, initiatedBy: '' }, 'too_small', 'initiatedBy'],
  ];
  testHttp(
    () => server,
    refused.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: `POST ${PATH}`,
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );

  it('makes nothing of unknown ids, or of those of another application', async () => {
    for (const [more, headers, message] of [
      [{ topicId: UNKNOWN }, {}, 'topic not found'],
      [{ topicId }, other.headers, 'topic not found'],
      [{ quickstartId: UNKNOWN }, {}, 'quickstart not found'],
      [{ quickstartId: await newQuickstart() }, other.headers, 'quickstart not found'],
    ] as const) {
      const { status, json } = await server.call('POST', PATH, { body: { ...valid, ...more }, headers });
      expect([status, json]).toEqual([404, { message }]);
    }
    const { json } = await server.call('GET', PATH, { headers: other.headers });
    expect(json).toMatchObject({ data: [] });
  });
});

describe('a site without a sitemap', () => {
  it('is followed link by link, each page once, within its host and as deep as is allowed', async () => {
    const elsewhere = await serve({ '/': linking('Elsewhere') });
    const site = await serve({
      '/': linking(
        'Home',
        '/a',
        '/a#part',
        'a',
        '/guide/b?x=1',
        '/',
        '/missing',
        '/picture.PNG',
        'mailto:a@b',
        elsewhere.url,
      ),
      '/a': linking('A', '/', '/guide/c'),
      '/guide/b?x=1': linking('B', '../a', 'c'),
      '/guide/c': linking('C', '/too-deep'),
    });
    const job = await scraped({ url: `${site.url}/#top` });

    expect(job).toMatchObject({ status: 'COMPLETED', reason: null, quickstartStatus: 'NOT_ASSOCIATED' });
    expect(job.pages).toEqual([
      { url: `${site.url}/`, title: 'Home' },
      { url: `${site.url}/a`, title: 'A' },
      { url: `${site.url}/guide/b?x=1`, title: 'B', category: 'guide' },
      { url: `${site.url}/guide/c`, title: 'C', category: 'guide' },
    ]);
    expect(job.failedPages).toEqual([
      { url: `${site.url}/missing`, error: 'It was answered with status 404.' },
    ]);
    expect(site.asked()).toEqual([
      '/robots.txt',
      '/sitemap.xml',
      '/',
      '/a',
      '/guide/b?x=1',
      '/missing',
      '/guide/c',
    ]);
    expect(elsewhere.asked()).toEqual([]);
    expect(site.headers()[0]).toMatchObject({ 'user-agent': 'Touchstone' });
    const made = await documentsOf(job);
    expect(made.map(({ title }) => title)).toEqual(['Home', 'A', 'B', 'C']);
    for (const document of made) expect(document).toMatchObject({ status: 'ACTIVE', type: 'KNOWLEDGE' });
  });

  it.each([
    [{ maxDepth: 0 }, ['/']],
    [{ maxDepth: 1 }, ['/', '/a']],
    [{ maxPages: 2, maxDepth: 5 }, ['/', '/a']],
    [{ maxDepth: 5 }, ['/', '/a', '/b', '/c']],
  ])('ends with %j', async (bounds, expected) => {
    const site = await serve({
      '/': linking('Home', '/a'),
      '/a': linking('A', '/b'),
      '/b': linking('B', '/c'),
      '/c': linking('C', '/'),
    });
    expect(pathsOf(await scraped({ url: site.url, ...bounds }))).toEqual(expected);
  });

  it('gives only pages below the prefix', async () => {
    const site = await serve({
      '/docs/': linking('Docs', '/docs/a', '/blog/', '/docsy'),
      '/docs/a': linking('A'),
    });
    expect(pathsOf(await scraped({ url: `${site.url}/docs/`, pathPrefix: '/docs/' }))).toEqual([
      '/docs/',
      '/docs/a',
    ]);
  });

  it('heeds where a page says its links begin', async () => {
    const site = await serve({
      '/': page('<base href="/docs/"><a href="a">A</a> text'),
      '/docs/a': linking('A'),
    });
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/docs/a']);
  });
});

describe('a sitemap', () => {
  it('tells the pages, beside the first one', async () => {
    const site = await serve({
      '/': linking('Home', '/linked'),
      '/linked': linking('Linked'),
    });
    site.routes['/sitemap.xml'] = sitemap(
      `${site.url}/a`,
      `${site.url}/`,
      `${site.url}/b`,
      'https://example.org/c',
    );
    site.routes['/a'] = linking('A', '/linked');
    const job = await scraped({ url: site.url });
    expect(pathsOf(job)).toEqual(['/', '/a']);
    expect(job.failedPages).toEqual([{ url: `${site.url}/b`, error: 'It was answered with status 404.' }]);
    expect(site.asked()).not.toContain('/linked');
    expect(await documentsOf(job)).toHaveLength(2);
  });

  it('may be named by robots.txt, and list others', async () => {
    const site = await serve({ '/': linking('Home') });
    site.routes['/robots.txt'] = text(
      `Sitemap: ${site.url}/all.xml\nSitemap: https://example.org/sitemap.xml`,
    );
    site.routes['/all.xml'] = page(
      `<sitemapindex><sitemap><loc>${site.url}/one.xml</loc></sitemap><sitemap><loc>https://example.org/x.xml</loc></sitemap></sitemapindex>`,
      'text/xml',
    );
    site.routes['/one.xml'] = sitemap(`${site.url}/a`);
    site.routes['/a'] = linking('A');
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/a']);
  });

  it('is of no use to a job of one page', async () => {
    const site = await serve({ '/': linking('Home', '/a') });
    site.routes['/sitemap.xml'] = sitemap(`${site.url}/a`);
    expect(pathsOf(await scraped({ url: site.url, maxDepth: 0 }))).toEqual(['/']);
    expect(site.asked()).not.toContain('/sitemap.xml');
  });

  it.each([
    ['is none', page('<html>not found</html>')],
    ['names no page of the site', sitemap('https://example.org/')],
    ['is broken', page('<urlset><url><loc>', 'text/xml')],
  ])('that %s leaves links to follow', async (_what, behaviour) => {
    const site = await serve({ '/sitemap.xml': behaviour, '/': linking('Home', '/a'), '/a': linking('A') });
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/a']);
  });
});

describe('robots.txt', () => {
  it('is obeyed, for links, for sitemaps and for redirects', async () => {
    const site = await serve({
      '/robots.txt': text('User-agent: *\nDisallow: /\n\nUser-agent: touchstone\nDisallow: /private'),
      '/': linking('Home', '/private/a', '/moved', '/b'),
      '/moved': redirecting('/private/c'),
      '/private/c': linking('C'),
      '/b': linking('B'),
    });
    const job = await scraped({ url: site.url });
    expect(pathsOf(job)).toEqual(['/', '/b']);
    expect(job.failedPages).toEqual([
      {
        url: `${site.url}/moved`,
        error: `It redirects to ${site.url}/private/c, which is not to be fetched.`,
      },
    ]);
    expect(site.asked()).not.toContain('/private/a');

    site.routes['/sitemap.xml'] = sitemap(`${site.url}/private/a`, `${site.url}/b`);
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/b']);
    expect(site.asked()).not.toContain('/private/a');
  });

  it('may forbid all', async () => {
    const site = await serve({ '/robots.txt': text('User-agent: *\nDisallow: /'), '/': linking('Home') });
    expect(await scraped({ url: site.url })).toMatchObject({
      status: 'FAILED',
      reason: 'No page could be made a document. The robots.txt of the site lets none be fetched.',
      pages: [],
      failedPages: [],
    });
    expect(site.asked()).not.toContain('/');
  });

  it('that cannot be read now forbids all; it is asked for three times', async () => {
    const site = await serve({ '/robots.txt': answer(503), '/': linking('Home') });
    expect(await scraped({ url: site.url })).toMatchObject({
      status: 'FAILED',
      reason: 'The robots.txt of the site cannot be read now: It was answered with status 503.',
    });
    expect(site.asked()).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
  });
});

describe('a page', () => {
  it('becomes a document with its text', async () => {
    const site = await serve({
      '/': page(
        '<title>Prices &amp; terms</title><meta name="description" content="What it costs"><nav>Menu</nav><h1>Prices</h1><p>Tea is 3&nbsp;€.<script>bad()</script>',
      ),
    });
    const job = await scraped({ url: site.url });
    expect(job.pages).toEqual([
      { url: `${site.url}/`, title: 'Prices & terms', description: 'What it costs' },
    ]);
    const [made] = await documentsOf(job);
    expect(made).toMatchObject({
      title: 'Prices & terms',
      content: '# Prices\n\nTea is 3 €.',
      scrapeJobId: job.id,
    });
  });

  it('is read in any of the types and encodings that are taken', async () => {
    const latin1 = { 'content-type': 'text/html; charset=iso-8859-1' };
    const pages: [path: string, behaviour: Behaviour, title: string, content: string][] = [
      ['/plain.txt', text(' Just text \n'), 'plain.txt', 'Just text'],
      [
        '/readme.md',
        page('a\n\n## First\n\n# Second', 'text/markdown'),
        'First',
        'a\n\n## First\n\n# Second',
      ],
      ['/x', page('<html><body><h1>X</h1></body></html>', 'application/xhtml+xml'), 'X', '# X'],
      ['/older', answer(200, Buffer.from('<p>caf\u00e9', 'latin1'), latin1), 'older', 'caf\u00e9'],
    ];
    const site = await serve({ '/': linking('Home', ...pages.map(([path]) => path)) });
    for (const [path, behaviour] of pages) site.routes[path] = behaviour;
    const [, ...made] = await documentsOf(await scraped({ url: site.url }));
    expect(made.map(({ title, content }) => [title, content])).toEqual(
      pages.map(([, , title, content]) => [title, content]),
    );
  });

  it('is a failed page when there is anything wrong with it', async () => {
    const packed = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
    const wrong: [behaviour: Behaviour, error: string][] = [
      [answer(500), 'It was answered with status 500.'],
      [page('{}', 'application/json'), 'Its content type is application/json.'],
      [answer(200, 'x'), 'Its content type is not given.'],
      [page('x'.repeat(2 * 1024 * 1024 + 1)), 'It is larger than 2097152 bytes.'],
      [answer(200, 'x', packed), 'It came compressed although that was not asked for.'],
      [page('<p> </p><script>x</script>'), 'It has no text.'],
      [page(`${'<div>'.repeat(600)}x`), 'Its tags are nested too deeply.'],
      [redirecting('/7'), 'It redirects more than 5 times.'],
      [answer(302), 'It redirects to something that is no page.'],
      [redirecting('file:///etc/passwd'), 'It redirects to something that is no page.'],
      [redirecting('http://10.0.0.1/'), 'It redirects to http://10.0.0.1. Only pages of SITE are fetched.'],
      [
        redirecting('//169.254.169.254/'),
        'It redirects to http://169.254.169.254. Only pages of SITE are fetched.',
      ],
      [
        redirecting('http://127.0.0.1:9/'),
        'It redirects to http://127.0.0.1:9. Only pages of SITE are fetched.',
      ],
      [breakOff, 'PLACE broke the connection off before its answer was complete (UND_ERR_SOCKET).'],
    ];
    const site = await serve({ '/': linking('Home', ...wrong.map((_, index) => `/${index}`)) });
    for (const [index, [behaviour]] of wrong.entries()) site.routes[`/${index}`] = behaviour;
    const job = await scraped({ url: site.url });
    expect(pathsOf(job)).toEqual(['/']);
    expect(job.failedPages).toEqual(
      wrong.map(([, error], index) => ({
        url: `${site.url}/${index}`,
        error: error.replace('SITE', site.url).replace('PLACE', new URL(site.url).host),
      })),
    );
    expect(await documentsOf(job)).toHaveLength(1);
  });

  it('that fails as the only one fails the job', async () => {
    const site = await serve();
    expect(await scraped({ url: site.url })).toMatchObject({
      status: 'FAILED',
      reason: 'No page could be made a document. It was answered with status 404.',
      pages: [],
      failedPages: [{ url: `${site.url}/`, error: 'It was answered with status 404.' }],
    });
  });

  it('that redirects is known by where it leads, and made one document', async () => {
    const site = await serve({
      '/': linking('Home', '/old', '/new', '/older', '/other'),
      '/old': redirecting('/new', 301),
      '/older': redirecting('/old', 308),
      '/other': redirecting('/target', 307),
      '/new': linking('New', '/old'),
      '/target': linking('Target', '/target'),
    });
    const job = await scraped({ url: site.url });
    expect(pathsOf(job)).toEqual(['/', '/new', '/target']);
    expect(job.failedPages).toEqual([]);
    expect(await documentsOf(job)).toHaveLength(3);
  });

  it('that is slow is given up after a while', async () => {
    const site = await serve({ '/': hang });
    const client = createGuardedClient({
      guard: createAddressGuard({ allow: [], isLoopbackOpen: () => true }),
    });
    const { signal } = new AbortController();
    const options = { client, types: ['text/html'], signal, timeoutMs: 50 };
    expect(await fetchText(`${site.url}/`, options)).toMatchObject({ kind: 'failed', mayPass: true });
  });
});

it('a site that does not answer is tried three times', async () => {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { port: number }).port));
  });
  await new Promise((resolve) => probe.close(resolve));
  const job = await scraped({ url: `http://127.0.0.1:${port}` });
  expect(job.status).toBe('FAILED');
  expect(job.reason).toBe(
    `The robots.txt of the site cannot be read now: 127.0.0.1:${port} refused the connection.`,
  );
});

it('a name is judged by the address it leads to', async () => {
  const guarded = await startServer({ config: { publicUrl: 'https://touchstone.example.org' } });
  try {
    const site = await serve({ '/': linking('Home') });
    const url = site.url.replace('127.0.0.1', 'localhost');
    const { json } = await guarded.call('POST', PATH, { body: { name: 'x', url } });
    const { id } = (json as { data: ScrapeJob }).data;
    const job = await until(
      async () => ((await guarded.call('GET', `${PATH}/${id}`)).json as { data: ScrapeJob }).data,
      isOver,
    );
    expect(job.status).toBe('FAILED');
    expect(job.reason).toContain('is a loopback address');
    expect(site.asked()).toEqual([]);
  } finally {
    await guarded.close();
  }
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
    const seen = await until(
      () => get(job),
      () => release !== undefined,
    );
    expect(seen).toMatchObject({ status: 'MAPPING' });
    expect(seen.pages).toEqual([
      { url: `${site.url}/`, title: 'Home' },
      { url: `${site.url}/a` },
      { url: `${site.url}/b` },
    ]);

    const cancelled = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.json).toMatchObject({
      data: { status: 'FAILED', reason: 'It was cancelled.', pages: [] },
    });
    release?.();
    const again = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect([again.status, again.json]).toEqual([409, { message: 'The scrape job is FAILED already' }]);
    // The next job of the application has its turn, so the one before has ended.
    await scraped({ url: site.url, maxDepth: 0 });
    expect(await get(job)).toMatchObject({ status: 'FAILED', reason: 'It was cancelled.' });
    expect(site.asked()).not.toContain('/b');
    expect(await documentsOf(job)).toEqual([]);
  });

  it('forbid to cancel what is completed', async () => {
    const site = await serve({ '/': linking('Home') });
    const job = await scraped({ url: site.url });
    const { status, json } = await server.call('POST', `${PATH}/${job.id}/cancel`);
    expect([status, json]).toEqual([409, { message: 'The scrape job is COMPLETED already' }]);
    expect(await get(job)).toEqual(job);
  });
});

it.each(['by links', 'by a sitemap'])(
  'a job goes on where a killed process left it, without a document twice: %s',
  async (how) => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const asked: (() => void)[] = [];
    const held: Behaviour = (request, response) => {
      asked.push(() => void linking('C')(request, response));
    };
    const site = await serve({ '/': linking('Home', ...names) });
    for (const name of names) site.routes[`/${name}`] = linking(name.toUpperCase());
    if (how === 'by a sitemap')
      site.routes['/sitemap.xml'] = sitemap(...names.map((name) => `${site.url}/${name}`));
    site.routes['/c'] = held;

    using folder = temporaryFolder();
    const presets = newPresets();
    const options = { dataDir: folder.path, presets };
    const first = await ChildServer.start(options);
    const { json } = await first.call('POST', PATH, { name: 'Site', url: site.url });
    const { id } = (json as { data: ScrapeJob }).data;
    await until(
      async () => asked.length,
      (count) => count === 1,
    );
    await first.stop('SIGKILL');

    site.routes['/c'] = linking('C');
    const before = site.asked().length;
    const second = await ChildServer.start(options);
    const look = async (): Promise<ScrapeJob> =>
      ((await second.call('GET', `${PATH}/${id}`)).json as { data: ScrapeJob }).data;
    const job = await until(look, isOver);
    const documents = (await second.call('GET', '/v0/documents?limit=100')).json as { data: Document[] };
    await second.stop('SIGTERM');

    expect(job.status).toBe('COMPLETED');
    expect(pathsOf(job)).toEqual(['/', '/a', '/b', '/c', '/d', '/e']);
    expect(documents.data.map(({ title }) => title).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'Home']);
    expect(
      site
        .asked()
        .slice(before)
        .filter((path) => ['/', '/a', '/b'].includes(path)),
    ).toEqual([]);
  },
);

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

  it.each(['createdAt', 'modifiedAt', 'name', 'status', 'id'] as const)(
    'are paged by %s without a gap or a repetition',
    async (orderBy) => {
      for (const orderDir of ['asc', 'desc']) {
        const order = `orderBy=${orderBy}&orderDir=${orderDir}`;
        const pages = [await list(`${order}&limit=3`), await list(`${order}&skip=3`)];
        expect(pages.map(({ pagination }) => pagination)).toEqual([
          { skip: 0, limit: 3, total: 4, totalPages: 2 },
          { skip: 3, limit: 25, total: 4, totalPages: 1 },
        ]);
        const { data } = await list(order);
        expect(pages.flatMap((one) => one.data)).toEqual(data);
        const values = data.map((job) => (job as unknown as Record<string, string>)[orderBy] as string);
        expect(values).toEqual(orderDir === 'asc' ? values.toSorted() : values.toSorted().reverse());
      }
    },
  );

  it('are listed with their first ten pages', async () => {
    const links = Array.from({ length: 11 }, (_, index) => `/${index}`);
    const large = await serve({ '/': linking('Home', ...links) });
    for (const link of links) large.routes[link] = linking(link);
    const job = await scraped({ url: large.url });
    expect(job.pages).toHaveLength(12);
    const { json } = await server.call('GET', PATH);
    const listed = (json as { data: ScrapeJob[] }).data.find(({ id }) => id === job.id);
    expect(listed?.pages).toEqual(job.pages.slice(0, 10));
  });

  it('are not there for another application', async () => {
    const { id } = (await list('')).data[0] as ScrapeJob;
    for (const [method, path] of [
      ['GET', `${PATH}/${id}`],
      ['POST', `${PATH}/${id}/cancel`],
    ] as const) {
      const { status, json } = await server.call(method, path, { headers: other.headers });
      expect([status, json]).toEqual([404, { message: 'scrape job not found' }]);
    }
    const { json } = await server.call('GET', PATH, { headers: other.headers });
    expect(json).toMatchObject({ data: [] });
  });

  testHttp(
    () => server,
    [
      { name: 'are ordered by no other field', request: `GET ${PATH}?orderBy=url`, status: 422 },
      { name: 'have known statuses', request: `GET ${PATH}?status=DONE`, status: 422 },
      { name: 'have quickstarts with uuids', request: `GET ${PATH}?quickstartId=x`, status: 422 },
      { name: 'have uuids', request: `GET ${PATH}/x`, status: 422, mustContain: ['"path":["id"]'] },
      { name: 'are cancelled by uuids', request: `POST ${PATH}/x/cancel`, status: 422 },
    ],
  );
});

it('reading needs the scope to read, changing the scope to write', async () => {
  const [reader, writer] = [await server.newKey(['read']), await server.newKey(['write', 'ingest'])];
  const site = await serve({ '/': linking('Home') });
  const { id } = await create({ url: site.url });
  for (const [method, path, body] of [
    ['GET', PATH],
    ['GET', `${PATH}/${id}`],
    ['POST', PATH, { name: 'x', url: site.url }],
    ['POST', `${PATH}/${id}/cancel`],
  ] as const) {
    const [may, mayNot] = method === 'GET' ? [reader, writer] : [writer, reader];
    const call = body === undefined ? {} : { body };
    expect((await server.call(method, path, { headers: mayNot, ...call })).status, method + path).toBe(403);
    expect((await server.call(method, path, { headers: may, ...call })).status).toBeLessThan(500);
  }
});
