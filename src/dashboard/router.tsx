import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { isAway, RECOVERY_MS } from './api/recovery.ts';
import { BASE_PATH, fullPath } from './app/base-path.ts';
import { AppLink, formatSearch, parseSearch } from './app/url.tsx';
import { SCREENS } from './screens.ts';
import { Shell } from './shell/shell.tsx';
import { ErrorPanel } from './ui/error-panel.tsx';
import { Page } from './ui/page.tsx';
import { Empty, LoadingRows } from './ui/states.tsx';

/** Makes the router of all screens. Their pages load when they are first opened. */
export function createDashboardRouter() {
  const root = createRootRoute({ component: Shell });
  const routes = SCREENS.map(({ path, page }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(async () => ({ default: await page() })),
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: BASE_PATH === '' ? '/' : BASE_PATH,
    parseSearch,
    stringifySearch: formatSearch,
    defaultPreload: false,
    defaultPendingComponent: Pending,
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: NotFound,
  });
}

const Pending = (): ReactNode => (
  <div className="px-4 py-14">
    <LoadingRows />
  </div>
);

function Failed({ error, reset }: ErrorComponentProps): ReactNode {
  useReloadOnReturn(isAway(error));
  return (
    <Page title="This page failed">
      <div className="p-4">
        <ErrorPanel error={error} onRetry={reset} />
      </div>
    </Page>
  );
}

/** Loads the page again once the server answers: browsers do not repeat a failed import of a script. */
function useReloadOnReturn(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => {
      fetch(fullPath('/healthz')).then(
        ({ ok }) => ok && location.reload(),
        () => undefined,
      );
    }, RECOVERY_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

const NotFound = (): ReactNode => (
  <Page title="Not found">
    <Empty title="There is no page at this address">
      <p>
        Press <kbd>Ctrl K</kbd> to look for a page or an id, or{' '}
        <AppLink className="text-accent underline" href="/traces">
          go to the traces
        </AppLink>
        .
      </p>
    </Empty>
  </Page>
);
