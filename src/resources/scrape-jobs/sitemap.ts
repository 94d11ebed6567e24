import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

const MAX_LOCATIONS = 10_000;
const MAX_LOCATION = 2_000;
/** Deepest nesting; a sitemap has three levels. The parser takes time proportional to the depth for every tag. */
const MAX_DEPTH = 64;
/** Characters parsed at once. */
const SLICE = 32_768;

export interface Sitemap {
  /** True if it lists other sitemaps instead of pages. */
  isIndex: boolean;
  locations: string[];
}

/** Parses a sitemap (sitemaps.org) as far as it is well-formed. */
export async function readSitemap(xml: string): Promise<Sitemap> {
  const sitemap: Sitemap = { isIndex: false, locations: [] };
  let location: string | null = null;
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        depth += 1;
        if (name === 'sitemapindex') sitemap.isIndex = true;
        if (name === 'loc') location = '';
      },
      ontext: (text) => {
        if (location !== null && location.length <= MAX_LOCATION) location += text;
      },
      onclosetag: (name) => {
        depth -= 1;
        if (name !== 'loc' || location === null) return;
        if (sitemap.locations.length < MAX_LOCATIONS) sitemap.locations.push(location.trim());
        location = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length; at += SLICE) {
    parser.write(xml.slice(at, at + SLICE));
    if (depth > MAX_DEPTH) break;
    await setImmediate();
  }
  return sitemap;
}
