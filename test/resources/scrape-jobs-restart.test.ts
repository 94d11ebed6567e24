import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { hang } from '../support/customer-app.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { isOver, linking, type ScrapeJob, type Site, sitemap, startSite, until } from './scrape-support.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** Much less than a page, or a run that a stop lets come to its end, may take. */
const SOON_MS = 7_000;

let site: Site;
let folder: Folder;
let running: ChildServer | null = null;
beforeEach(async () => {
  folder = temporaryFolder();
  site = await startSite({ '/': linking('Home', ...NAMES) });
  for (const name of NAMES) site.routes[`/${name}`] = linking(name.toUpperCase());
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  await site.close();
  folder[Symbol.dispose]();
});

it.each([
  ['that was killed', 'SIGKILL', 'by links'],
  ['that was killed', 'SIGKILL', 'by a sitemap'],
  ['that was stopped', 'SIGTERM', 'by links'],
  ['that was stopped', 'SIGTERM', 'by a sitemap'],
] as const)(
  'a job goes on where a process %s left it, without a document twice, and keeps no process from stopping: %s, %s',
  async (_, signal, how) => {
    if (how === 'by a sitemap')
      site.routes['/sitemap.xml'] = sitemap(...NAMES.map((name) => `${site.url}/${name}`));
    site.routes['/c'] = hang;
    const options = { dataDir: folder.path, presets: newPresets() };
    running = await ChildServer.start(options);
    const { json } = await running.call('POST', '/v0/scrape-jobs', { name: 'Site', url: site.url });
    const { id } = (json as { data: ScrapeJob }).data;
    await until(
      async () => site.asked(),
      (paths) => paths.includes('/c'),
    );
    const ending = await Promise.race([running.stop(signal), delay(SOON_MS, 'not yet')]);
    expect(ending).toBe(signal === 'SIGKILL' ? signal : 0);

    site.routes['/c'] = linking('C');
    const before = site.asked().length;
    const second = (running = await ChildServer.start(options));
    const look = async (): Promise<ScrapeJob> =>
      ((await second.call('GET', `/v0/scrape-jobs/${id}`)).json as { data: ScrapeJob }).data;
    const job = await until(look, isOver);
    const documents = await second.call('GET', '/v0/documents?limit=100');

    expect(job.status).toBe('COMPLETED');
    expect(job.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/a', '/b', '/c', '/d', '/e']);
    expect(
      (documents.json as { data: { title: string }[] }).data.map(({ title }) => title).toSorted(),
    ).toEqual(['A', 'B', 'C', 'D', 'E', 'Home']);
    const askedAgain = site.asked().slice(before);
    expect(askedAgain.filter((path) => ['/', '/a', '/b'].includes(path))).toEqual([]);
  },
);
