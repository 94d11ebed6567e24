import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { answerOf } from '../api/client.ts';
import type { Login } from '../api/generated/schema.ts';
import { createDashboardClient, isSignedOut } from './api/client.ts';
import { keepToken } from './api/login.ts';
import { isAway, RECOVERY_MS } from './api/recovery.ts';
import { SessionContext } from './api/session.ts';
import { createDashboardRouter } from './router.tsx';
import { chooseFirst, rememberApplication } from './app/application.ts';
import { takeLink } from './sign-in/link.ts';
import { SignInForm } from './sign-in/sign-in.tsx';
import { ErrorPanel } from './ui/error-panel.tsx';
import { forgetFilters } from './filter/recent-filters.ts';
import { forgetDrafts } from './ui/kept-draft.ts';

/** State of the login: not asked yet, signed out (perhaps because it expired), failed, or signed in. */
type LoginState =
  | { kind: 'unknown' }
  | { kind: 'signed-out'; hasExpired: boolean }
  | { kind: 'failed'; error: unknown }
  | { kind: 'signed-in'; login: Login };

/** Read once, as it is then removed from the address. */
const openedLink = takeLink();

export function App(): ReactNode {
  const [state, setState] = useState<LoginState>({ kind: 'unknown' });
  const [link, setLink] = useState(openedLink);
  const signIn = useCallback((login: Login) => {
    keepToken(login);
    setLink(null);
    setState({ kind: 'signed-in', login });
  }, []);
  const load = useCallback(async () => {
    setState((before) => (before.kind === 'failed' ? before : { kind: 'unknown' }));
    try {
      signIn(await answerOf(createDashboardClient().GET('/v0/login')));
    } catch (error) {
      setState(isSignedOut(error) ? { kind: 'signed-out', hasExpired: false } : { kind: 'failed', error });
    }
  }, [signIn]);
  useEffect(() => {
    if (openedLink === null) void load();
    else setState({ kind: 'signed-out', hasExpired: false });
  }, [load]);
  useEffect(() => {
    if (state.kind !== 'failed' || !isAway(state.error)) return undefined;
    const timer = setTimeout(() => void load(), RECOVERY_MS);
    return () => clearTimeout(timer);
  }, [state, load]);
  useEffect(() => {
    // A link that is opened in this tab changes the fragment only.
    const takeOpened = (): void => {
      const opened = takeLink();
      if (opened === null) return;
      setLink(opened);
      setState({ kind: 'signed-out', hasExpired: false });
    };
    addEventListener('hashchange', takeOpened);
    return () => removeEventListener('hashchange', takeOpened);
  }, []);

  if (state.kind === 'unknown') return null;
  if (state.kind === 'signed-out')
    return <SignInForm link={link} hasExpired={state.hasExpired} onSignedIn={signIn} />;
  if (state.kind === 'failed') {
    return (
      <main className="mx-auto mt-[16vh] max-w-[520px] px-4">
        <h1 className="sr-only">Touchstone</h1>
        <ErrorPanel error={state.error} onRetry={() => void load()} />
      </main>
    );
  }
  const signOut = (hasExpired: boolean): void => {
    keepToken(null);
    setState({ kind: 'signed-out', hasExpired });
  };
  return <SignedIn login={state.login} onLogin={signIn} onSignedOut={signOut} />;
}

interface SignedInProps {
  login: Login;
  onLogin: (login: Login) => void;
  onSignedOut: (hasExpired: boolean) => void;
}

/** Everything that needs a login. Each login has a cache of its own. */
function SignedIn({ login, onLogin, onSignedOut }: SignedInProps): ReactNode {
  const [applicationId, setApplicationId] = useState(() => chooseFirst(login.applications));
  const [queries] = useState(() => newQueryClient(() => onSignedOut(true)));
  const [router] = useState(createDashboardRouter);
  const application = login.applications.find(({ id }) => id === applicationId) ?? login.applications[0];
  const session = useMemo(
    () =>
      application && {
        login,
        application,
        client: createDashboardClient(application.id),
        chooseApplication: (id: string) => {
          rememberApplication(id);
          setApplicationId(id);
        },
        changeLogin: onLogin,
        signOut: async () => {
          await answerOf(createDashboardClient().DELETE('/v0/login'));
          forgetDrafts();
          forgetFilters();
          onSignedOut(false);
        },
      },
    [application, login, onLogin, onSignedOut],
  );
  if (!session) return <NoApplication onSignOut={() => onSignedOut(false)} />;
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SessionContext>
  );
}

function NoApplication({ onSignOut }: { onSignOut: () => void }): ReactNode {
  return (
    <main className="mx-auto mt-[16vh] max-w-[520px] px-4">
      <h1 className="text-title font-semibold">You are not a member of an application</h1>
      <p className="mt-2 text-reading text-dim">
        An administrator adds you in Settings, under Members. Then load this page again.
      </p>
      <button type="button" className="mt-3 cursor-pointer text-accent underline" onClick={onSignOut}>
        Sign in as someone else
      </button>
    </main>
  );
}

function newQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    defaultOptions: {
      // Panels offer to retry, and rows do not move because someone comes back to the window.
      queries: { retry: false, staleTime: 15_000, gcTime: 5 * 60_000, refetchOnWindowFocus: false },
      mutations: { retry: false, onError: (error) => void (isSignedOut(error) && onSignedOut()) },
    },
  });
}
