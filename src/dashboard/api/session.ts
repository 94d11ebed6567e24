import { createContext, useContext } from 'react';
import type { Login } from '../../api/generated/schema.ts';
import type { ApiClient } from './client.ts';

export type SessionApplication = Login['applications'][number];

/** Login of the person at the page, and the application that they look at. */
export interface Session {
  login: Login;
  application: SessionApplication;
  client: ApiClient;
  chooseApplication: (id: string) => void;
  changeLogin: (login: Login) => void;
  signOut: () => Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession is for components below the SessionContext');
  return session;
}

/** Reports whether the login may make calls that need this scope. */
export const useScope = (scope: SessionApplication['scopes'][number]): boolean =>
  useSession().application.scopes.includes(scope);
