import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { hang } from '../support/customer-app.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { isOver, linking, type ScrapeJob, type Site, sitemap, startSite } from './scrape-support.ts';
import { until } from '../support/until.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** Less than a page, or a run that a stop lets come to its end, may take: 20 s and 10 s. */
const SOON_MS = 9_000;

type How = 'by links' | 'by a sitemap';
const HOWS: readonly How[] = ['by links', 'by a sitemap'];

let sites: Record<How, Site>;
let folder: Folder;
let running: ChildServer | null = null;
beforeEach(async () => {
  folder = temporaryFolder();
  sites = { 'by links': await openSite(), 'by a sitemap': await openSite() };
  const { url, routes } = sites['by a sitemap'];
  routes['/sitemap.xml'] = sitemap(...NAMES.map((name) => `${url}/${name}`));
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  await Promise.all(Object.values(sites).map((site) => site.close()));
  folder[Symbol.dispose]();
});

/** A site whose page `/c` does not answer. */
async function openSite(): Promise<Site> {
  const site = await startSite({ '/': linking('Home', ...NAMES) });
  for (const name of NAMES) site.routes[`/${name}`] = name === 'c' ? hang : linking(name.toUpperCase());
  return site;
}

it.each([
  ['that was killed', 'SIGKILL'],
  ['that was stopped', 'SIGTERM'],
] as const)(
  'jobs by links and by a sitemap continue where a process %s left them, without a document twice, and keep no process from stopping',
  async (_, signal) => {
    const options = { dataDir: folder.path, presets: newPresets() };
    const first = (running = await ChildServer.start(options));
    const jobs = {} as Record<How, string>;
    for (const how of HOWS) {
      const { json } = await first.call('POST', '/v0/scrape-jobs', { name: 'Site', url: sites[how].url });
      jobs[how] = (json as { data: ScrapeJob }).data.id;
    }
    for (const how of HOWS)
      await until(
        async () => sites[how].asked(),
        (paths) => paths.includes('/c'),
      );
    const ending = await Promise.race([first.stop(signal), delay(SOON_MS, 'not yet')]);
    expect(ending).toBe(signal === 'SIGKILL' ? signal : 0);

    const before = HOWS.map((how) => sites[how].asked().length);
    for (const how of HOWS) sites[how].routes['/c'] = linking('C');
    const second = (running = await ChildServer.start(options));
    for (const [index, how] of HOWS.entries()) {
      const look = async (): Promise<ScrapeJob> =>
        (await second.ok('GET', `/v0/scrape-jobs/${jobs[how]}`)).data;
      const job = await until(look, isOver);
      expect(job.status).toBe('COMPLETED');
      expect(job.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/a', '/b', '/c', '/d', '/e']);
      const askedAgain = sites[how].asked().slice(before[index]);
      expect(askedAgain.filter((path) => ['/', '/a', '/b'].includes(path))).toEqual([]);
    }
    const documents = await second.call('GET', '/v0/documents?limit=100');
    expect(
      (documents.json as { data: { title: string; scrapeJobId: string }[] }).data
        .map(({ title, scrapeJobId }) => `${title} ${scrapeJobId}`)
        .toSorted(),
    ).toEqual(
      Object.values(jobs)
        .flatMap((id) => ['A', 'B', 'C', 'D', 'E', 'Home'].map((title) => `${title} ${id}`))
        .toSorted(),
    );
  },
);
