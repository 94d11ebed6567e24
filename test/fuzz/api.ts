/** Calls of every documented operation, with anything in every place where a caller may put something. */
import fc from 'fast-check';
import { type ApiCall, apiCalls, sendCall } from '../support/api-calls.ts';
import { type AnyCall, anyCall } from '../support/any-calls.ts';
import type { TenantFixture } from '../support/tenant-fixture.ts';
import { faultsOf } from './api-check.ts';
import { seedOf } from './dice.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Site } from './site.ts';

/** Inputs made from one seed: making the first costs the most. */
const BATCH = 10;
/** After so many rounds over all operations, the records that calls name have been changed and deleted often enough. */
const ROUNDS_PER_FIXTURE = 40;

/** What deletes comes last, so that the others find something. */
const order = ['GET', 'POST', 'PUT', 'DELETE'];
const calls = apiCalls.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
const FIXTURE_INPUTS = calls.length * ROUNDS_PER_FIXTURE;

export function apiKind(site: Site): Kind {
  const name = 'API';
  let fixture: Promise<TenantFixture> = Promise.resolve(site.own);
  let number = 0;
  let batch: { at: number; sent: AnyCall[] } = { at: -1, sent: [] };

  const attacked = (index: number): Promise<TenantFixture> => {
    const wanted = Math.floor(index / FIXTURE_INPUTS);
    if (wanted > number) {
      number = wanted;
      fixture = site.renew();
    }
    return fixture;
  };
  /** Each operation has its rounds in a row, within what one world is good for. */
  const callAt = (index: number): ApiCall =>
    calls[Math.floor((index % FIXTURE_INPUTS) / ROUNDS_PER_FIXTURE)] as ApiCall;

  return {
    name,
    share: 6,
    concurrency: 1,
    run: async (seed, index): Promise<Outcome> => {
      const own = await attacked(index);
      const call = callAt(index);
      const at = index - (index % BATCH);
      if (batch.at !== at) {
        const known = { own: own.ids, other: site.other.ids, texts: own.texts };
        batch = {
          at,
          sent: fc.sample(anyCall(call, known), { seed: seedOf(seed, name, at), numRuns: BATCH }),
        };
      }
      const sent = batch.sent[index - at] as AnyCall;
      const { address: path, ...more } = sent;
      const request = { method: call.method, path, query: new URLSearchParams(), ...more };
      const show = (): string => `${call.method} ${JSON.stringify(sent).slice(0, 4_000)}`;
      try {
        const answer = await sendCall(site.server.url, request, own.headers);
        return { answer: String(answer.status), faults: faultsOf(call, sent, answer, site.other), show };
      } catch (error) {
        return { answer: 'error', faults: [String(error), String((error as Error).cause)], show };
      }
    },
    check: site.check,
  };
}
