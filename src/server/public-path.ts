/** Returns the path of the public URL, such as `/tools/touchstone`; empty if it has none. */
export const publicPath = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** Returns the path and query of a request as the routes know them: some proxies keep the path of the public URL, some remove it. */
export function withoutPublicPath(url: string, path: string): string {
  if (path === '' || !url.startsWith(path)) return url;
  const rest = url.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}
