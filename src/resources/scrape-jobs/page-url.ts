export const MAX_URL = 2_000;

/** Endings of links that do not lead to pages. */
const NO_PAGE =
  /\.(?:avi|avif|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|map|mjs|mov|mp3|mp4|mpe?g|ogg|otf|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/** Parses a web URL and removes its fragment; null when it is invalid or contains credentials. */
export function readPageUrl(text: string, base?: string): URL | null {
  const url = URL.parse(text, base);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.port === '0') return null;
  url.hash = '';
  // An empty query counts as none.
  if (url.search === '') url.search = '';
  return url.href.length <= MAX_URL ? url : null;
}

/** Conditions for pages of a job. */
export interface PageScope {
  /** Protocol, host and port. */
  origin: string;
  pathPrefix: string | null;
}

export const isInScope = (url: URL, { origin, pathPrefix }: PageScope): boolean =>
  url.origin === origin && (pathPrefix === null || url.pathname.startsWith(pathPrefix));

/** Returns the distinct pages that links lead to. */
export function pagesOf(links: readonly string[], base: string, scope: PageScope): string[] {
  const pages = links
    .map((link) => readPageUrl(link, base))
    .filter((url) => url !== null)
    .filter((url) => isInScope(url, scope) && !NO_PAGE.test(url.pathname));
  return [...new Set(pages.map(({ href }) => href))];
}

/** Returns the first part of a path with several parts. */
export function categoryOf(url: string): string | undefined {
  const parts =
    URL.parse(url)
      ?.pathname.split('/')
      .filter((part) => part !== '') ?? [];
  return parts.length > 1 ? parts[0] : undefined;
}
