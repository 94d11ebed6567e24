import { z } from 'zod';

export const SCOPES = ['ingest', 'read', 'annotate', 'write', 'admin'] as const;
export const scopeName = z.enum(SCOPES);
export type ScopeName = (typeof SCOPES)[number];

export const ACTOR_TYPES = ['user', 'key'] as const;

/** The user or the API key that makes a request. */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** Id of the user, or the public part of the API key. */
  readonly id: string;
  readonly name: string;
}

/** Application and permissions of the caller of a request. */
export interface Principal {
  readonly organisation: string;
  readonly applicationId: string;
  /** Integer key of the application's row, used in every statement. */
  readonly application: number;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<ScopeName>;
}

/** Reports whether a set of scopes allows what `name` allows: `write` includes `annotate`. */
export const includesScope = (scopes: ReadonlySet<ScopeName>, name: ScopeName): boolean =>
  scopes.has(name) || (name === 'annotate' && scopes.has('write'));
