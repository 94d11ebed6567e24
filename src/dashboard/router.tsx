import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BASE_PATH } from './app/base-path.ts';
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

const Failed = ({ error, reset }: ErrorComponentProps): ReactNode => (
  <Page title="This page failed">
    <div className="p-4">
      <ErrorPanel error={error} onRetry={reset} />
    </div>
  </Page>
);

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
