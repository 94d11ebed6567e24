import {
  type RouterHistory,
  useNavigate,
  useParams,
  useRouter,
  useRouterState,
  useSearch,
} from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useCallback, useMemo } from 'react';
import { fullPath } from './base-path.ts';
import type { Href, PathParam, QueryText } from './paths.ts';

/** Parameter that names the application; links keep it. */
const APPLICATION = 'app';

type Values = Readonly<Record<string, string>>;

/** Reads the query of a URL. Everything is text, so that links stay readable: `?q=errors:yes&page=2`. */
export const parseSearch = (text: string): Values => Object.fromEntries(new URLSearchParams(text));

export function formatSearch(values: Readonly<Record<string, unknown>>): QueryText {
  const pairs = Object.entries(values).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const text = new URLSearchParams(pairs).toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns the state of a screen that its URL holds, and a function that changes it. `defaults` has all its names; a value
 * that equals its default is left out of the URL. A change is a step of the browser's history unless `replace` is set.
 */
export function useUrlState<T extends Values>(
  defaults: T,
): [state: T, change: (patch: Partial<T>, options?: { replace?: boolean }) => void] {
  const search: Values = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(() => {
    const known = Object.keys(defaults).map((name) => [name, search[name] ?? defaults[name]]);
    return Object.fromEntries(known) as T;
  }, [defaults, search]);
  const change = useCallback(
    (patch: Partial<T>, { replace = false } = {}) =>
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: (previous: Values) => withoutDefaults({ ...previous, ...patch }, defaults),
      }),
    [defaults, navigate],
  );
  return [state, change];
}

const withoutDefaults = (values: Readonly<Record<string, string | undefined>>, defaults: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== defaults[pair[0]],
    ),
  );

/** Returns a parameter of the path, such as `traceId` of `/traces/$traceId`. */
export function usePathParam(name: PathParam): string {
  const params: Values = useParams({ strict: false });
  return params[name] ?? '';
}

/** Returns the application that the URL names, if any. */
export const applicationInUrl = (search: string): string | undefined => parseSearch(search)[APPLICATION];

/** Returns a URL of this dashboard that names the application too. */
export function withApplication(href: Href, application: string | undefined): Href;
export function withApplication(href: string, application: string | undefined): string;
export function withApplication(href: string, application: string | undefined): string {
  if (application === undefined) return href;
  const [path = '', query = ''] = href.split('?', 2);
  return path + formatSearch({ ...parseSearch(query), [APPLICATION]: application });
}

/** Returns a function that opens a screen by its path and query. */
export function useOpen(): (href: Href, options?: { replace?: boolean }) => void {
  const history = useRouter().history as RouterHistory;
  return useCallback(
    (href, { replace = false } = {}) => {
      const named = applicationInUrl(href.split('?', 2)[1] ?? '');
      const full = fullPath(withApplication(href, named ?? applicationInUrl(history.location.search)));
      if (replace) history.replace(full);
      else history.push(full);
    },
    [history],
  );
}

/** Returns the path that is open. */
export const usePath = (): string => useRouterState({ select: ({ location }) => location.pathname });

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: Href;
  children?: ReactNode;
}

/** Links to a screen of the dashboard without loading the page again. */
export function AppLink({ href, onClick, ...rest }: AppLinkProps): ReactNode {
  const open = useOpen();
  const application = useRouterState({ select: ({ location }) => applicationInUrl(location.searchStr) });
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    open(href);
  };
  return <a href={fullPath(withApplication(href, application))} onClick={follow} {...rest} />;
}
