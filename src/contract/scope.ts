import { z } from 'zod';

export const SCOPES = ['ingest', 'read', 'write', 'admin'] as const;
export const scopeName = z.enum(SCOPES);
export type ScopeName = (typeof SCOPES)[number];

/** Application and permissions of the caller of a request. */
export interface Scope {
  readonly organisation: string;
  readonly applicationId: string;
  /** Integer key of the application's row, used in every statement. */
  readonly application: number;
  /** Public part of the API key. */
  readonly keyId: string;
  readonly scopes: ReadonlySet<ScopeName>;
}
