import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { Call } from '../../storage/operations.ts';
import { createScrapeJobBody, scrapeJob, scrapeJobsQuery } from './contract.ts';
import type { scrapeJobCommands, scrapeJobQueries } from './store.ts';

interface ScrapeJobDeps {
  read: Call<typeof scrapeJobQueries>;
  write: Call<ReturnType<typeof scrapeJobCommands>>;
  now: () => number;
  guard: Pick<AddressGuard, 'checkUrl'>;
  /** Told after a scrape job was created. */
  onEnqueued: () => void;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: scrapeJob });

export const scrapeJobRoutes = ({ read, write, now, guard, onEnqueued }: ScrapeJobDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/scrape-jobs',
    summary: 'Make documents of web pages',
    description:
      'Finds the pages of a site by its sitemap, or else by its links, and makes a document of each: one page at a time, as its robots.txt allows. Pages are HTML, plain text or Markdown of at most 2 MiB. Addresses that are not public are fetched only where the operator allows it.',
    scope: 'write',
    body: createScrapeJobBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body }) => {
      // What the guard would refuse at every request is told now; a name is resolved only then.
      const verdict = guard.checkUrl(body.url);
      if (!verdict.allowed) {
        const message = `${verdict.reason}. ${verdict.hint}`;
        throw invalid([{ code: 'invalid_string', message, path: ['url'] }]);
      }
      const job = { ...body, initiatedBy: body.initiatedBy ?? scope.keyId };
      const data = await write('createScrapeJob', {
        owner: ownerOf(scope),
        id: randomUUID(),
        job,
        at: now(),
      });
      onEnqueued();
      return { data };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/scrape-jobs',
    summary: 'List scrape jobs',
    description: 'Each with its first pages only.',
    scope: 'read',
    query: scrapeJobsQuery,
    response: z.object({ data: z.array(scrapeJob), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listScrapeJobs', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/scrape-jobs/{id}',
    summary: 'Get a scrape job',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getScrapeJob', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'POST',
    path: '/v0/scrape-jobs/{id}/cancel',
    summary: 'Cancel a scrape job that is not over',
    description: 'The documents it has made stay.',
    scope: 'write',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id } }) => ({
      data: await write('cancelScrapeJob', { owner: ownerOf(scope), id, at: now() }),
    }),
  }),
];
