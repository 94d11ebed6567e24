import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { dates, ID, owner } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { cancelScrapeJob, createScrapeJob, getScrapeJob, listScrapeJobs } from './calls.ts';
import { createScrapeJobBody, type ScrapeJob, scrapeJob, scrapeJobsQuery } from './contract.ts';

interface ScrapeJobDeps extends StoreCalls {
  guard: Pick<AddressGuard, 'checkUrl'>;
  /** Called after a scrape job was created. */
  onEnqueued: () => void;
}

const exampleJob: ScrapeJob = {
  id: ID.scrapeJob,
  ...owner,
  ...dates,
  initiatedBy: 'ada',
  name: 'Help pages',
  url: 'https://shop.example.com/help',
  status: 'COMPLETED',
  reason: null,
  quickstartStatus: 'NOT_ASSOCIATED',
  quickstartId: null,
  topicId: ID.topic,
  type: 'KNOWLEDGE',
  assignee: null,
  maxPages: 50,
  maxDepth: 2,
  pathPrefix: '/help',
  pages: [{ url: 'https://shop.example.com/help/returns', title: 'Returns', category: 'help' }],
  failedPages: [{ url: 'https://shop.example.com/help/old', error: 'The response has status 404.' }],
};

export function scrapeJobRoutes({ read, write, now, guard, onEnqueued }: ScrapeJobDeps): Route[] {
  const jobs = recordRoutes({
    path: '/v0/scrape-jobs',
    group: 'Scrape jobs',
    record: scrapeJob,
    example: exampleJob,
    now,
  });
  return [
    jobs.create({
      operationId: 'createScrapeJob',
      summary: 'Create documents from web pages',
      description:
        'Finds the pages of a site by its sitemap, or otherwise by its links, and creates a document from each: one page at a time, as its robots.txt allows. Pages can be HTML, plain text or Markdown of at most 2 MiB. Addresses that are not public are fetched only if the operator allows it.',
      body: createScrapeJobBody,
      example: {
        body: { name: 'Help pages', url: exampleJob.url, pathPrefix: '/help', topicId: ID.topic },
        response: { ...exampleJob, status: 'MAPPING', pages: [], failedPages: [] },
      },
      errors: ['not_found'],
      handler: async ({ fields, ...args }, { actor }) => {
        checkUrl(guard, fields.url);
        const job = { ...fields, initiatedBy: fields.initiatedBy ?? actor.id };
        const created = await write(createScrapeJob, { ...args, job });
        onEnqueued();
        return created;
      },
    }),
    jobs.list({
      operationId: 'listScrapeJobs',
      summary: 'List scrape jobs',
      description: 'Includes only the first pages of each job.',
      query: scrapeJobsQuery,
      handler: (args) => read(listScrapeJobs, args),
    }),
    jobs.get({
      operationId: 'getScrapeJob',
      summary: 'Get a scrape job',
      handler: (args) => read(getScrapeJob, args),
    }),
    cancelRoute({ write, now }),
  ];
}

const cancelRoute = ({ write, now }: Pick<ScrapeJobDeps, 'write' | 'now'>): Route =>
  route({
    method: 'POST',
    path: '/v0/scrape-jobs/{id}/cancel',
    operationId: 'cancelScrapeJob',
    group: 'Scrape jobs',
    summary: 'Cancel an unfinished scrape job',
    description: 'The documents that it has created remain.',
    scope: 'write',
    params: z.object({ id: uuid }),
    response: z.object({ data: scrapeJob }),
    example: { response: { data: { ...exampleJob, status: 'FAILED', reason: 'Cancelled' } } },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id } }) => ({
      data: await write(cancelScrapeJob, { owner: ownerOf(principal), id, at: now() }),
    }),
  });

/**
 * Throws `invalid` at once for URLs that the guard would reject at every request. Host names are resolved only then.
 */
function checkUrl(guard: ScrapeJobDeps['guard'], url: string): void {
  const verdict = guard.checkUrl(url);
  if (verdict.allowed) return;
  const message = `${verdict.reason}. ${verdict.hint}`;
  throw invalid([{ code: 'invalid_string', message, path: ['url'] }]);
}
