import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { GuardedClient } from '../../deliver/guarded-client.ts';
import { AppError } from '../../errors.ts';
import { truncate } from '../../traces/truncate.ts';
import { fetchText, type Fetched, type FetchOptions, CRAWLER_NAME } from './fetch-page.ts';
import { htmlToText, NestedTooDeeply } from './html-to-text.ts';
import { isInScope, type PageScope, pagesOf, readPageUrl } from './page-url.ts';
import { readRobots, type Robots } from './robots.ts';
import { readSitemap } from './sitemap.ts';

const HTML = ['text/html', 'application/xhtml+xml'];
const PAGE_TYPES = [...HTML, 'text/plain', 'text/markdown'];
const SITEMAP_TYPES = ['application/xml', 'text/xml', 'text/plain'];
const MAX_SITEMAPS = 5;
const MAX_TITLE = 256;
const MAX_TEXT = 500_000;

/** Outcome of one page. */
export type Visit =
  | { kind: 'read'; finalUrl: string; title: string; description: string; content: string; links: string[] }
  | { kind: 'failed'; error: string };

/** One site for one job: one request at a time, with a pause before each except the first. */
export interface Site {
  /** Returns the pages in its sitemap, if it has one. */
  mapped: (limit: number) => Promise<string[]>;
  /** Selects the pages that the site allows to be fetched. */
  allowed: (urls: readonly string[]) => Promise<string[]>;
  visit: (url: string) => Promise<Visit>;
}

export interface SiteOptions {
  client: GuardedClient;
  scope: PageScope;
  pauseMs: number;
  signal: AbortSignal;
}

/** Opens a site and reads its robots.txt first. Throws `unavailable` when that cannot be fetched now. */
export async function openSite({ client, scope, pauseMs, signal }: SiteOptions): Promise<Site> {
  let isFirst = true;
  const get = async (url: string, options: Omit<FetchOptions, 'client' | 'signal'>): Promise<Fetched> => {
    if (!isFirst) await delay(pauseMs, undefined, { signal });
    isFirst = false;
    return fetchText(url, { ...options, client, signal });
  };
  const rules = { types: ['text/plain'], takesBeginning: true };
  const robots = rulesOf(await get(`${scope.origin}/robots.txt`, rules));
  const mayFetch = ({ pathname, search }: URL): boolean => robots.allows(pathname + search);
  const mayFollow = (url: URL): boolean => isInScope(url, scope) && mayFetch(url);
  const allowed = async (urls: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const [index, url] of urls.entries()) {
      if (mayFetch(new URL(url))) found.push(url);
      // Many rules take long for many links.
      if (index % 32 === 31) await setImmediate();
    }
    return found;
  };
  return {
    allowed,
    visit: async (url) => {
      // The rules may have changed since the page was found.
      if (!mayFetch(new URL(url))) return { kind: 'failed', error: 'The robots.txt of the site forbids it.' };
      const fetched = await get(url, { types: PAGE_TYPES, mayFollow });
      if (fetched.kind === 'failed') return { kind: 'failed', error: fetched.error };
      const visit = await readPage(fetched, scope);
      return visit.kind === 'read' ? { ...visit, links: await allowed(visit.links) } : visit;
    },
    mapped: async (limit) => {
      const named = robots.sitemaps.map((url) => readPageUrl(url, scope.origin)?.href ?? '');
      const waiting = [...new Set([...named, `${scope.origin}/sitemap.xml`])].filter(
        (url) => URL.parse(url)?.origin === scope.origin,
      );
      const pages = new Set<string>();
      for (let count = 0; count < MAX_SITEMAPS && pages.size < limit; count++) {
        const url = waiting.shift();
        if (url === undefined) break;
        const fetched = await get(url, { types: SITEMAP_TYPES });
        if (fetched.kind === 'failed') continue;
        const { isIndex, locations } = await readSitemap(fetched.text);
        if (isIndex)
          waiting.push(...locations.filter((location) => URL.parse(location)?.origin === scope.origin));
        else for (const page of await allowed(pagesOf(locations, scope.origin, scope))) pages.add(page);
      }
      return [...pages].slice(0, limit);
    },
  };
}

/**
 * Returns the rules of a site (RFC 9309): without a robots.txt everything is allowed; if it cannot be fetched now,
 * nothing is.
 */
function rulesOf(fetched: Fetched): Robots {
  if (fetched.kind === 'text') return readRobots(fetched.text, CRAWLER_NAME.toLowerCase());
  if (!fetched.mayPass) return readRobots('', CRAWLER_NAME);
  throw new AppError('unavailable', `The robots.txt of the site cannot be read now: ${fetched.error}`);
}

async function readPage({ url, type, text }: Fetched & { kind: 'text' }, scope: PageScope): Promise<Visit> {
  const page = HTML.includes(type) ? await readHtml(text, url, scope) : readPlain(text);
  if (page === null) return { kind: 'failed', error: 'Its tags are nested too deeply.' };
  if (page.content === '') return { kind: 'failed', error: 'It has no text.' };
  return { kind: 'read', finalUrl: url, ...page, title: page.title || titleOf(url) };
}

type Page = Pick<Visit & { kind: 'read' }, 'title' | 'description' | 'content' | 'links'>;

async function readHtml(html: string, url: string, scope: PageScope): Promise<Page | null> {
  try {
    const { title, description, text, links, base } = await htmlToText(html);
    const pages = pagesOf(links, readPageUrl(base ?? '', url)?.href ?? url, scope);
    return { title, description, content: text, links: pages };
  } catch (error) {
    if (error instanceof NestedTooDeeply) return null;
    throw error;
  }
}

function readPlain(text: string): Page {
  const content = truncate(text, MAX_TEXT).trim();
  const title = /^#{1,6} (.+)$/m.exec(content)?.[1] ?? '';
  return { title: truncate(title.trim(), MAX_TITLE), description: '', content, links: [] };
}

/** Returns the end of the path, or the host. */
function titleOf(url: string): string {
  const { pathname, host } = new URL(url);
  const name = pathname.split('/').findLast((part) => part !== '') ?? host;
  return truncate(name, MAX_TITLE);
}
