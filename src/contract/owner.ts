import { AppError } from '../errors.ts';
import type { Principal } from './scope.ts';

/** Application that records belong to: its key in the store, and its ids in the API. */
export interface Owner {
  readonly application: number;
  readonly applicationId: string;
  readonly orgId: string;
}

export const ownerOf = ({ application, applicationId, organisation }: Principal): Owner => ({
  application,
  applicationId,
  orgId: organisation,
});

/** Identifies one record of an application. */
export interface ById {
  owner: Owner;
  id: string;
}

/** Returns the key of the application of a caller. Throws `not_found` if `id` is that of another one. */
export function ownApplication({ applicationId, application }: Principal, id: string): number {
  if (id === applicationId) return application;
  throw new AppError('not_found', 'Application not found');
}
