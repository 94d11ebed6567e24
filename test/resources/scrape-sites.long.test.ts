import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient } from '../../src/deliver/guarded-client.ts';
import { fetchText } from '../../src/resources/scrape-jobs/fetch-page.ts';
import { answer, type Behaviour, breakOff, hang } from '../support/customer-app.ts';
import { sharedServer, startServer, type TestServer } from '../support/server.ts';
import {
  isOver,
  linking,
  page,
  pathsOf,
  redirecting,
  scraping,
  sitemap,
  text,
  useSites,
} from './scrape-support.ts';
import { until } from '../support/until.ts';

let server: TestServer;
const serve = useSites();
const { scraped, documentsOf } = scraping(() => server);
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const PATH = '/v0/scrape-jobs';

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
    expect(job.failedPages).toEqual([{ url: `${site.url}/missing`, error: 'The response has status 404.' }]);
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

  it('follows where a page says its links begin', async () => {
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
    expect(job.failedPages).toEqual([{ url: `${site.url}/b`, error: 'The response has status 404.' }]);
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
  it('is followed, for links, for sitemaps and for redirects', async () => {
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
        error: `It redirects to ${site.url}/private/c, which must not be fetched.`,
      },
    ]);
    expect(site.asked().filter((path) => path.startsWith('/private'))).toEqual([]);

    site.routes['/sitemap.xml'] = sitemap(`${site.url}/private/a`, `${site.url}/b`);
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/b']);
    expect(site.asked()).not.toContain('/private/a');
  });

  it('is followed as far as it is read when it is too long to be read completely', async () => {
    const rules = `User-agent: *\nDisallow: /private\n${'#'.repeat(3 * 1024 * 1024)}`;
    const site = await serve({
      '/robots.txt': text(rules),
      '/': linking('Home', '/private/a', '/b'),
      '/private/a': linking('A'),
      '/b': linking('B'),
    });
    expect(pathsOf(await scraped({ url: site.url }))).toEqual(['/', '/b']);
    expect(site.asked()).not.toContain('/private/a');
  });

  it('is followed as it is when a page is fetched, not as it was when the page was found', async () => {
    const site = await serve({ '/': linking('Home'), '/a': linking('A'), '/b': linking('B') });
    site.routes['/sitemap.xml'] = sitemap(`${site.url}/a`, `${site.url}/b`);
    site.routes['/robots.txt'] = (request, response) => {
      site.routes['/robots.txt'] = text('User-agent: *\nDisallow: /a');
      return text('')(request, response);
    };
    const job = await scraped({ url: site.url });
    expect(pathsOf(job)).toEqual(['/', '/b']);
    const error = 'The robots.txt of the site forbids it.';
    expect(job.failedPages).toEqual([{ url: `${site.url}/a`, error }]);
    expect(site.asked()).not.toContain('/a');
  });

  it('may forbid all', async () => {
    const site = await serve({ '/robots.txt': text('User-agent: *\nDisallow: /'), '/': linking('Home') });
    expect(await scraped({ url: site.url })).toMatchObject({
      status: 'FAILED',
      reason: 'No document could be created. The robots.txt of the site allows no page to be fetched.',
      pages: [],
      failedPages: [],
    });
    expect(site.asked()).not.toContain('/');
  });

  it('that cannot be read now forbids all; it is requested three times', async () => {
    const site = await serve({ '/robots.txt': answer(503), '/': linking('Home') });
    expect(await scraped({ url: site.url })).toMatchObject({
      status: 'FAILED',
      reason: 'The robots.txt of the site cannot be read now: The response has status 503.',
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
      [answer(500), 'The response has status 500.'],
      [page('{}', 'application/json'), 'Its content type is application/json.'],
      [answer(200, 'x'), 'Its content type is not given.'],
      [page('x'.repeat(2 * 1024 * 1024 + 1)), 'It is larger than 2097152 bytes.'],
      [answer(200, 'x', packed), 'The response is compressed although that was not requested.'],
      [page('<p> </p><script>x</script>'), 'It has no text.'],
      [page(`${'<div>'.repeat(600)}x`), 'Its tags are nested too deeply.'],
      [redirecting('/7'), 'It redirects more than 5 times.'],
      [answer(302), 'It redirects to an address that is not a page.'],
      [redirecting('file:///etc/passwd'), 'It redirects to an address that is not a page.'],
      [redirecting('http://10.0.0.1/'), 'It redirects to http://10.0.0.1. Only pages of SITE are fetched.'],
      [
        redirecting('//169.254.169.254/'),
        'It redirects to http://169.254.169.254. Only pages of SITE are fetched.',
      ],
      [
        redirecting('http://127.0.0.1:9/'),
        'It redirects to http://127.0.0.1:9. Only pages of SITE are fetched.',
      ],
      [breakOff, 'PLACE closed the connection before its response was complete (UND_ERR_SOCKET).'],
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
      reason: 'No document could be created. The response has status 404.',
      pages: [],
      failedPages: [{ url: `${site.url}/`, error: 'The response has status 404.' }],
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

  it('that is slow times out', async () => {
    const site = await serve({ '/': hang });
    const client = createGuardedClient({
      guard: createAddressGuard({ allow: [], isLoopbackOpen: true }),
    });
    const { signal } = new AbortController();
    const options = { client, types: ['text/html'], signal, timeoutMs: 50 };
    expect(await fetchText(`${site.url}/`, options)).toMatchObject({ kind: 'failed', mayPass: true });
  });
});

it('a site that does not answer is tried three times', async () => {
  // No test listens there, which it might on a port that was free a moment ago.
  const job = await scraped({ url: 'http://127.0.0.1:1' });
  expect(job.status).toBe('FAILED');
  expect(job.reason).toBe(
    'The robots.txt of the site cannot be read now: 127.0.0.1:1 refused the connection.',
  );
});

it('a name is judged by the address it leads to', async () => {
  const guarded = await startServer({ config: { publicUrl: 'https://touchstone.example.org' } });
  try {
    const site = await serve({ '/': linking('Home') });
    const url = site.url.replace('127.0.0.1', 'localhost');
    const { id } = (await guarded.ok('POST', PATH, { body: { name: 'x', url } })).data;
    const job = await until(async () => (await guarded.ok('GET', `${PATH}/${id}`)).data, isOver);
    expect(job.status).toBe('FAILED');
    expect(job.reason).toContain('is a loopback address');
    expect(site.asked()).toEqual([]);
  } finally {
    await guarded.close();
  }
});
