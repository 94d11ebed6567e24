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
