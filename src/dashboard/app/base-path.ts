/**
 * Path below which this page runs behind a proxy, such as `/tools/touchstone`; empty at the root of its host. The server
 * writes that of its public URL into the page, which may be opened at the server's own address too.
 */
export const BASE_PATH = basePathOf(
  document.querySelector('meta[name="touchstone-path"]')?.getAttribute('content') ?? '',
  location.pathname,
);

/** Address of the server as this page reaches it, without a slash at the end. */
export const SERVER_URL = location.origin + BASE_PATH;

/** Returns the path of the host for a path of the dashboard. */
export const fullPath = (href: string): string => BASE_PATH + href;

function basePathOf(path: string, open: string): string {
  return open === path || open.startsWith(`${path}/`) ? path : '';
}
