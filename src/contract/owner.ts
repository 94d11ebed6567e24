import type { Scope } from './scope.ts';

/** The application that records belong to, by its key in the store and as records name it. */
export interface Owner {
  readonly application: number;
  readonly applicationId: string;
  readonly orgId: string;
}

export const ownerOf = ({ application, applicationId, organisation }: Scope): Owner => ({
  application,
  applicationId,
  orgId: organisation,
});

/** One record of an application. */
export interface ById {
  owner: Owner;
  id: string;
}
