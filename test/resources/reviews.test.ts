import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AnnotationQueue,
  HumanAnnotation,
  ReviewContent,
  QueueItem,
} from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson, type Person } from '../support/people.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { annotating, CRITIQUE } from './annotation-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

interface Next {
  item: QueueItem;
  lease: { token: string; expiresAt: string };
  content: ReviewContent;
}
type Verdict = 'PASS' | 'FAIL' | 'UNSURE';

/** An application with three reviewers, and a queue that each trace of `count` waits in. */
async function team(count: number, more: object = {}) {
  const tenant: Tenant = await server.newTenant();
  const editor = annotating(server, tenant.headers);
  const [ada, bob, eve] = (['annotator', 'annotator', 'editor'] as const).map((role, index) =>
    addPerson(server, tenant, { role, name: ['Ada', 'Bob', 'Eve'][index] as string }),
  ) as [Person, Person, Person];
  const queue: AnnotationQueue = await editor.queue(more);
  const traces = count === 0 ? [] : await editor.traces(count);
  for (const traceId of traces) await editor.item({ queueId: queue.id, traceId });
  const as = (someone: Person) => {
    const headers = { 'x-api-key': null, ...someone.headers };
    return {
      call: (method: string, path: string, body?: object) =>
        server.call(method, path, { headers, ...(body && { body }) }),
      next: async (body: object = {}): Promise<Next | null> => {
        const path = `/v0/human-annotation-queues/${queue.id}/next`;
        const { status, json } = await server.call('POST', path, { headers, body });
        expect([200, 204]).toContain(status);
        return status === 204 ? null : (json as { data: Next }).data;
      },
      review: async ({ item, lease }: Next, given: object): Promise<HumanAnnotation> => {
        const body = {
          traceId: item.traceId,
          source: 'REVIEW_QUEUE',
          queueItemId: item.id,
          leaseToken: lease.token,
          ...given,
        };
        const { status, json } = await server.call('POST', '/v0/human-annotations', {
          headers,
          body,
        });
        expect([status, json]).toMatchObject([201, {}]);
        return (json as { data: HumanAnnotation }).data;
      },
      queue: async (): Promise<AnnotationQueue> =>
        (
          (await server.call('GET', `/v0/human-annotation-queues/${queue.id}`, { headers })).json as {
            data: AnnotationQueue;
          }
        ).data,
    };
  };
  const status = async (id: string): Promise<string> =>
    (await server.ok('GET', `/v0/human-annotation-queue-items/${id}`, { headers: tenant.headers })).data
      .status;
  return {
    tenant,
    editor,
    queue,
    traces,
    people: { ada, bob, eve },
    ada: as(ada),
    bob: as(bob),
    eve: as(eve),
    status,
  };
}

const CRITERIA = [
  { id: 'policy', name: 'Follows the policy', description: 'Asks for what is needed.' },
  { id: 'tone', name: 'Tone' },
];
const verdicts = (policy: Verdict, tone: Verdict = 'PASS'): object => ({
  criteria: [
    { criterionId: 'policy', verdict: policy },
    { criterionId: 'tone', verdict: tone },
  ],
  ...(policy === 'FAIL' || tone === 'FAIL' ? { critique: CRITIQUE } : {}),
});

describe('the next item of a queue', () => {
  it('is reserved for one person, with what is judged and nothing that sways', async () => {
    const { ada, bob, status } = await team(2);
    const first = (await ada.next()) as Next;
    expect(first.content).toEqual({
      turns: [],
      input: 'Hello',
      output: 'Hello to you',
      steps: [],
      documents: [],
      isTruncated: false,
    });
    expect(first.item.status).toBe('LEASED');
    expect(await status(first.item.id)).toBe('LEASED');
    const second = (await bob.next()) as Next;
    expect(second.item.id).not.toBe(first.item.id);
    expect((await ada.next())?.lease.token, 'the same when asked again').toBe(first.lease.token);
    expect((await ada.queue()).mine).toBe(1);
  });

  it('is another one with prefetch', async () => {
    const { ada, status } = await team(4);
    const [first, second] = [(await ada.next()) as Next, (await ada.next({ prefetch: true })) as Next];
    expect(second.item.id).not.toBe(first.item.id);
    const third = await ada.next({ prefetch: true });
    expect(third?.item.id, 'the same again').toBe(second.item.id);
    await ada.review(first, { verdict: true });
    expect((await ada.next())?.item.id).toBe(second.item.id);
    expect(await status(first.item.id)).toBe('COMPLETED');
  });

  it('is nothing once all are judged', async () => {
    const { ada } = await team(1);
    await ada.review((await ada.next()) as Next, { verdict: true });
    expect(await ada.next()).toBeNull();
    expect(await ada.queue()).toMatchObject({ mine: 0, progress: { items: 1, completed: 1, begun: 0 } });
  });

  it('comes after the others once it was skipped, and never again when it is unclear', async () => {
    const { ada } = await team(2);
    const first = (await ada.next()) as Next;
    const release = (id: string, reason: string) =>
      ada.call('DELETE', `/v0/human-annotation-queue-items/${id}/lease?reason=${reason}`);
    expect((await release(first.item.id, 'SKIP')).status).toBe(204);
    const second = (await ada.next()) as Next;
    expect(second.item.id).not.toBe(first.item.id);
    await release(second.item.id, 'UNCLEAR');
    expect((await ada.next())?.item.id).toBe(first.item.id);
    await release(first.item.id, 'UNCLEAR');
    expect(await ada.next()).toBeNull();
  });

  it('is for reviewers only; the rejection names them', async () => {
    const { tenant, people, queue, ada, bob } = await team(1);
    await server.ok('PUT', `/v0/human-annotation-queues/${queue.id}`, {
      headers: tenant.headers,
      body: { reviewerIds: [people.ada.id] },
    });
    expect(await ada.next()).not.toBeNull();
    const { status, json } = await bob.call('POST', `/v0/human-annotation-queues/${queue.id}/next`, {});
    expect(status).toBe(403);
    expect(json).toEqual({ message: 'Only reviewers of this queue may review its items: Ada' });
    expect(await bob.queue()).toMatchObject({ mine: 0, reviewers: [{ id: people.ada.id, name: 'Ada' }] });
  });
});

describe('a reservation', () => {
  it('is renewed, and is lost once another person has taken the place', async () => {
    const { tenant, ada, bob } = await team(1);
    const mine = (await ada.next()) as Next;
    const path = `/v0/human-annotation-queue-items/${mine.item.id}/lease`;
    const renewed = await ada.call('PUT', path, { token: mine.lease.token });
    expect(renewed.status).toBe(200);
    besideServer(server.folder, (database) =>
      database.run('UPDATE annotation_review SET expires_at = 1 WHERE item_id = :id', { id: mine.item.id }),
    );
    expect((await ada.call('PUT', path, { token: mine.lease.token })).status, 'still free').toBe(200);
    besideServer(server.folder, (database) =>
      database.run('UPDATE annotation_review SET expires_at = 1 WHERE item_id = :id', { id: mine.item.id }),
    );
    expect((await bob.next())?.item.id).toBe(mine.item.id);
    expect((await ada.call('PUT', path, { token: mine.lease.token })).status).toBe(409);
    const late = await ada.call('POST', '/v0/human-annotations', {
      traceId: mine.item.traceId,
      source: 'REVIEW_QUEUE',
      queueItemId: mine.item.id,
      leaseToken: mine.lease.token,
      verdict: true,
    });
    expect([late.status, late.json]).toEqual([
      409,
      { message: 'Other reviewers have reserved the queue item' },
    ]);
    expect(tenant.applicationId).toBeTruthy();
  });
});

describe('a review by criteria', () => {
  it('needs a verdict by each, from which the overall one follows', async () => {
    const { ada, queue } = await team(3, { criteria: CRITERIA });
    expect(queue.criteria).toMatchObject([{ id: 'policy', evalDefinitionId: null }, { id: 'tone' }]);
    const post = async (given: object) => {
      const { item } = (await ada.next()) as Next;
      const body = { traceId: item.traceId, source: 'REVIEW_QUEUE', queueItemId: item.id, ...given };
      return ada.call('POST', '/v0/human-annotations', body);
    };
    expect((await post({ verdict: true })).json).toMatchObject({
      issues: [{ path: ['criteria'], message: 'must have one verdict by each of `policy`, `tone`' }],
    });
    expect((await post({ ...verdicts('FAIL'), critique: null })).json).toMatchObject({
      issues: [{ path: ['critique'] }],
    });
    for (const [given, verdict, unsure] of [
      [verdicts('FAIL', 'UNSURE'), false, false],
      [verdicts('PASS', 'UNSURE'), null, true],
      [verdicts('PASS', 'PASS'), true, false],
    ] as const)
      expect((await post(given)).json).toMatchObject({ data: { verdict, unsure, ...given } });
  });

  it('reaches the evaluator of the criterion, and is deleted with the review', async () => {
    const { tenant, editor, ada, traces } = await team(0);
    expect(traces).toEqual([]);
    const definition = await server.ok('POST', '/v0/definitions', {
      headers: tenant.headers,
      body: { name: 'Policy', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } },
    });
    const evalDefinitionId = (definition as { data: { id: string } }).data.id;
    const queue = await editor.queue({ criteria: [{ ...CRITERIA[0], evalDefinitionId }, CRITERIA[1]] });
    const [traceId] = (await editor.traces(1)) as [string];
    const item = await editor.item({ queueId: queue.id, traceId });
    const body = { traceId, source: 'REVIEW_QUEUE', queueItemId: item.id, ...verdicts('FAIL') };
    const { json } = await ada.call('POST', '/v0/human-annotations', body);
    const { data } = json as { data: HumanAnnotation };
    const listed = await editor.list(`/v0/human-annotations?evalDefinitionId=${evalDefinitionId}`);
    expect(listed.data).toMatchObject([{ verdict: false, partOf: data.id, annotatorId: data.annotatorId }]);
    const part = listed.data[0]?.id;
    expect((await ada.call('DELETE', `/v0/human-annotations/${part}`)).status).toBe(409);
    expect((await ada.call('PUT', `/v0/human-annotations/${data.id}`, { verdict: true })).status).toBe(409);
    expect((await ada.call('DELETE', `/v0/human-annotations/${data.id}`)).status).toBe(204);
    expect((await editor.list('/v0/human-annotations')).data).toEqual([]);
  });
});

describe('a queue', () => {
  it("rejects criteria and documents that do not exist, as it does another application's", async () => {
    const { tenant, queue } = await team(0);
    const other = await server.newTenant();
    const { data } = (await server.ok('POST', '/v0/definitions', {
      headers: other.headers,
      body: { name: 'Other', type: 'NATURALNESS' },
    })) as { data: { id: string } };
    for (const evalDefinitionId of [data.id, '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60'])
      for (const path of ['', `/${queue.id}`]) {
        const body = { title: 'Queue', criteria: [{ id: 'a', name: 'A', evalDefinitionId }] };
        const method = path === '' ? 'POST' : 'PUT';
        const address = `/v0/human-annotation-queues${path}`;
        const reply = await server.call(method, address, { headers: tenant.headers, body });
        expect(reply.status, address).toBe(404);
      }
  });
});

describe('an item for several reviewers', () => {
  const TWO = { reviewsPerItem: 2, criteria: CRITERIA, disagreement: 'THIRD', isBlind: true };

  it('is settled when they agree', async () => {
    const { ada, bob, status } = await team(1, TWO);
    const mine = (await ada.next()) as Next;
    const theirs = (await bob.next()) as Next;
    expect(theirs.item.id, 'two people judge it').toBe(mine.item.id);
    await ada.review(mine, verdicts('PASS'));
    expect(await status(mine.item.id)).toBe('PARTIAL');
    expect(await ada.next(), 'not twice').toBeNull();
    await bob.review(theirs, verdicts('PASS'));
    expect(await status(mine.item.id)).toBe('COMPLETED');
  });

  it('goes to a third one first when they differ', async () => {
    const { ada, bob, eve, status } = await team(2, TWO);
    const mine = (await ada.next()) as Next;
    await ada.review(mine, verdicts('PASS'));
    const theirs = (await bob.next()) as Next;
    expect(theirs.item.id, 'begun ones first').toBe(mine.item.id);
    await bob.review(theirs, verdicts('FAIL'));
    expect(await status(mine.item.id)).toBe('DISPUTED');
    expect((await eve.queue()).progress).toMatchObject({ disputed: 1, begun: 1 });
    const third = (await eve.next()) as Next;
    expect(third.item.id).toBe(mine.item.id);
    await eve.review(third, verdicts('FAIL'));
    expect(await status(mine.item.id)).toBe('COMPLETED');
    const { agreement } = await eve.queue();
    expect(agreement?.alpha).toBe(0.375);
  });

  it('is judged once by each: a second review is rejected with the id of the first', async () => {
    const { ada } = await team(1, TWO);
    const mine = (await ada.next()) as Next;
    const { id } = await ada.review(mine, verdicts('PASS'));
    const body = { traceId: mine.item.traceId, source: 'REVIEW_QUEUE', queueItemId: mine.item.id };
    const { status, json } = await ada.call('POST', '/v0/human-annotations', {
      ...body,
      ...verdicts('FAIL'),
    });
    expect([status, json]).toEqual([
      409,
      { message: `You have already reviewed this item: annotation ${id}` },
    ]);
  });

  it('waits again after undo, which is possible for ten minutes', async () => {
    const { ada, bob, status } = await team(1, TWO);
    const mine = (await ada.next()) as Next;
    const { id } = await ada.review(mine, verdicts('PASS'));
    expect((await bob.call('DELETE', `/v0/human-annotations/${id}`)).status, "another's").toBe(403);
    expect((await ada.call('DELETE', `/v0/human-annotations/${id}`)).status).toBe(204);
    expect(await status(mine.item.id)).toBe('OPEN');
    const again = await ada.review((await ada.next()) as Next, verdicts('FAIL'));
    besideServer(server.folder, (database) =>
      database.run('UPDATE annotation_review SET ended_at = 1 WHERE item_id = :id', { id: mine.item.id }),
    );
    const late = await ada.call('DELETE', `/v0/human-annotations/${again.id}`);
    expect([late.status, late.json]).toEqual([
      409,
      { message: 'A review can be undone for ten minutes only' },
    ]);
  });

  it('keeps what was asked once someone has begun', async () => {
    const { tenant, ada, queue } = await team(1, TWO);
    const put = (body: object) =>
      server.call('PUT', `/v0/human-annotation-queues/${queue.id}`, { headers: tenant.headers, body });
    expect((await put({ reviewsPerItem: 3 })).status).toBe(200);
    await ada.next();
    expect((await put({ reviewsPerItem: 2 })).json).toEqual({
      message: '`reviewsPerItem` can be changed only before the first review of the queue',
    });
    expect((await put({ reviewsPerItem: 3, title: 'Other' })).status).toBe(200);
  });
});
