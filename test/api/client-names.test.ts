import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const TIME = encodeURIComponent('2026-01-01T00:00:00+00:00');

/** Queries that clients send which were generated for the hosted form of the interface. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/v0/applications': [
    'environment=DEV',
    'humanAnnotationEnabled=false',
    'type=CHATBOT',
    'orderBy=slug',
    'orderBy=environment',
  ],
  '/v0/definitions': ['definitionStatus=DRAFT', 'scopeType=topic', `taskId=${ID}`, 'status=SKIPPED'],
  '/v0/documents': [
    'assignee=ada',
    'documentStatus=ACTIVE',
    'documentStatus=ACTIVE&status=APPROVED',
    'metadataStep=intro',
    `startDate=${TIME}`,
    `endDate=${TIME}`,
    `fileProcessingId=${ID}`,
    'orderBy=assignee',
    `scrapeJobId=${ID}&scrapeJobId=${ID}`,
    'status=REVIEW&status=APPROVED',
    `tagId=${ID}`,
    'search=a',
  ],
  '/v0/tags': ['search=a', 'orderBy=status'],
  '/v0/tasks': [
    'confidenceLevel=HIGH&confidenceLevel=LOW',
    'healthScoreLevel=MEDIUM',
    'stabilityLevel=LOW',
    'orderBy=lastTest',
    'scheduleCriticality=HIGH',
    'status=no-tests',
    `evalDefinitionId=${ID}`,
  ],
  '/v0/tests': [
    'passRateStatuses=warning&passRateStatuses=error',
    `tagId=${ID}`,
    'orderBy=status',
    `startDate=${TIME}`,
    'runType=MONITORING',
  ],
  '/v0/topics': [
    'isInScope=true',
    'isTasksVerified=false',
    'isPoliciesVerified=false',
    'isKnowledgeBaseVerified=true',
    'title=a',
  ],
  '/v0/traces': [
    'hasError=true',
    'minDuration=1',
    'maxDuration=5000',
    'minCost=0.5',
    `referenceId=${ID}`,
    `startDate=${TIME}`,
    'orderBy=createdAt',
    'orderBy=totalCost',
    'orderBy=totalDurationMs',
  ],
};

describe('a query of a generated client', () => {
  it.each(Object.entries(QUERIES).flatMap(([path, queries]) => queries.map((query) => `${path}?${query}`)))(
    'is accepted: %s',
    async (path) => {
      const { status, text } = await server.call('GET', path);
      expect(status, text).toBe(200);
    },
  );

  it.each([
    ['/v0/applications', 'slug=other', 0],
    ['/v0/applications', 'environment=PROD', 0],
    ['/v0/topics', 'isInScope=false', 1],
    ['/v0/topics', 'isInScope=true', 1],
    ['/v0/topics', 'title=out', 1],
    ['/v0/tags', 'search=URG', 1],
    ['/v0/tags', 'search=none', 0],
    ['/v0/documents', 'status=REVIEW', 1],
    ['/v0/documents', 'documentStatus=ACTIVE', 1],
    ['/v0/documents', 'documentStatus=ACTIVE&status=APPROVED', 1],
    ['/v0/documents', 'documentStatus=ACTIVE&status=REVIEW', 0],
    ['/v0/documents', 'documentStatus=DRAFT&status=REVIEW', 1],
    ['/v0/documents', 'metadataStep=intro', 1],
    ['/v0/documents', 'metadataStep=other', 0],
    ['/v0/documents', `endDate=${TIME}`, 0],
  ])('filters: %s?%s finds %d', async (path, query, found) => {
    await filled();
    const { json } = await server.call('GET', `${path}?${query}`);
    expect((json as { data: unknown[] }).data).toHaveLength(found);
  });

  let isFilled = false;
  async function filled(): Promise<void> {
    if (isFilled) return;
    isFilled = true;
    const make = async (path: string, body: object): Promise<void> => {
      const { status, text } = await server.call('POST', path, { body });
      expect(status, text).toBe(201);
    };
    await make('/v0/topics', { title: 'Inside' });
    await make('/v0/topics', { title: 'Without', isInScope: false, baseline: 0.5 });
    await make('/v0/tags', { name: 'Urgent' });
    await make('/v0/documents', { title: 'A', content: 'B.', status: 'REVIEW', originalSentences: ['B.'] });
    await make('/v0/documents', {
      title: 'B',
      content: 'B.',
      status: 'APPROVED',
      type: 'POLICY',
      metadata: { step: 'intro' },
    });
  }
});
