import { ApiError } from '../../api/client.ts';

/** Milliseconds between two looks whether a server that is away has returned. */
export const RECOVERY_MS = 3_000;

/** Reports whether a call failed because the server, or the way to it, is down for the moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && [502, 504].includes(error.status));
