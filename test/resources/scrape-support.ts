import { afterEach, expect } from 'vitest';
import { type Behaviour, answer, startCustomerApp } from '../support/customer-app.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

export interface ScrapeJob {
  id: string;
  status: string;
  reason: string | null;
  quickstartStatus: string;
  pages: { url: string; title?: string; description?: string; category?: string }[];
  failedPages: { url: string; error: string }[];
  createdAt: string;
  modifiedAt: string;
}

/** A site on loopback: each path answers as configured, any other 404. */
export interface Site {
  /** Without a slash at its end. */
  url: string;
  routes: Record<string, Behaviour>;
  /** The paths it was requested, in order. */
  asked: () => string[];
  headers: () => Record<string, unknown>[];
  close: () => Promise<void>;
}

export async function startSite(routes: Record<string, Behaviour> = {}): Promise<Site> {
  const app = await startCustomerApp();
  const site: Site = {
    url: new URL(app.url).origin,
    routes,
    asked: () => app.received.map(({ path }) => path),
    headers: () => app.received.map(({ headers }) => headers),
    close: () => app.close(),
  };
  app.behave((request, response) => (site.routes[request.path] ?? answer(404))(request, response));
  return site;
}

export const page = (html: string, type = 'text/html; charset=utf-8'): Behaviour =>
  answer(200, html, { 'content-type': type });

/** A page of this title with links to these places. */
export const linking = (title: string, ...links: string[]): Behaviour =>
  page(`<title>${title}</title><p>About ${title}.${links.map((link) => `<a href="${link}">x</a>`).join('')}`);

export const redirecting = (location: string, status = 302): Behaviour => answer(status, '', { location });

export const text = (content: string): Behaviour => page(content, 'text/plain');

export const sitemap = (...locations: string[]): Behaviour =>
  page(
    `<urlset>${locations.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
    'application/xml',
  );

export const isOver = ({ status }: ScrapeJob): boolean => status === 'COMPLETED' || status === 'FAILED';

export const pathsOf = (job: ScrapeJob): string[] => job.pages.map(({ url }) => new URL(url).pathname);

/** What starts sites, which end with the test. */
export function useSites(): (routes?: Record<string, Behaviour>) => Promise<Site> {
  const sites: Site[] = [];
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });
  return async (routes = {}) => {
    const site = await startSite(routes);
    sites.push(site);
    return site;
  };
}

export interface ScrapedDocument {
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

/** Calls that make scrape jobs and tell what becomes of them. */
export function scraping(server: () => TestServer) {
  const create = async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<ScrapeJob> => {
    const call = { body: { name: 'Site', ...body }, headers };
    const { status, text: answered, json } = await server().call('POST', '/v0/scrape-jobs', call);
    expect(status, answered).toBe(201);
    return (json as { data: ScrapeJob }).data;
  };
  const get = async ({ id }: { id: string }): Promise<ScrapeJob> =>
    ((await server().call('GET', `/v0/scrape-jobs/${id}`)).json as { data: ScrapeJob }).data;
  const over = (job: ScrapeJob): Promise<ScrapeJob> => until(() => get(job), isOver);
  return {
    create,
    get,
    over,
    /** A scrape job that is over. */
    scraped: async (body: object): Promise<ScrapeJob> => over(await create(body)),
    documentsOf: async ({ id }: ScrapeJob): Promise<ScrapedDocument[]> => {
      const { json } = await server().call('GET', '/v0/documents?limit=100&orderBy=createdAt&orderDir=asc');
      return (json as { data: ScrapedDocument[] }).data.filter(({ scrapeJobId }) => scrapeJobId === id);
    },
  };
}
