import { FairShare, type Pool, TIMES_FREE_MEMORY } from '../runtime/fair-share.ts';
import { alone, type GroupOf } from '../runtime/party.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';

/** Most uploads at once, of all organisations. */
const MAX_UPLOADS = 12;
/** Largest ratio of an organisation's part to the free rest: one organisation may use up to half of the upload slots. */
const TIMES_FREE_SLOTS = 1;

/** Pools that requests of all organisations share. */
export interface HttpPools {
  bodies: FairShare;
  responses: FairShare;
  responseMemory: Pool;
  slots: FairShare;
  uploads: Pool;
  /** Most uploads at once of one organisation while no other uploads. */
  organisationUploads: number;
}

export interface PoolOptions {
  /** Returns the organisation of an application. Default: each application is alone. */
  groupOf?: GroupOf;
  /** Most uploads at once of one organisation. Default: half of all. */
  uploads?: number;
}

/** `memory` is the memory budget of requests in flight, `responseBytes` that of responses that wait to be sent. */
export function createPools(
  memory: Pool,
  responseBytes: number,
  { groupOf = alone, uploads: most = Number.POSITIVE_INFINITY }: PoolOptions = {},
): HttpPools {
  const responseMemory = new MemoryBudget(responseBytes);
  const uploads = new Slots(MAX_UPLOADS);
  return {
    bodies: new FairShare(memory, TIMES_FREE_MEMORY, { groupOf }),
    responses: new FairShare(responseMemory, TIMES_FREE_MEMORY, { groupOf }),
    responseMemory,
    slots: new FairShare(uploads, TIMES_FREE_SLOTS, { groupOf, most }),
    uploads,
    organisationUploads: Math.min(most, MAX_UPLOADS / 2),
  };
}

class Slots implements Pool {
  used = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  tryCharge(count: number): boolean {
    if (this.used + count > this.limit) return false;
    this.used += count;
    return true;
  }

  release(count: number): void {
    this.used -= count;
  }
}
