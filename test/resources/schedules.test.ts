import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateTaskBody, PutTaskScheduleBody, TaskSchedule } from '../../src/api/generated/schema.ts';
import { nextRun } from '../../src/deliver/schedule.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
async function createTask(more: Partial<CreateTaskBody> = {}): Promise<string> {
  const body: CreateTaskBody = { title: 'Task', type: 'STATIC', ...more };
  return (await server.ok('POST', '/v0/tasks', { body })).task.id;
}
const path = (taskId: string) => `/v0/tasks/${taskId}/schedule` as const;
const get = async (taskId: string): Promise<TaskSchedule> => await server.ok('GET', path(taskId));

async function put(taskId: string, given: object): Promise<TaskSchedule> {
  const body = given as PutTaskScheduleBody;
  const before = Date.now();
  const schedule = await server.ok('PUT', path(taskId), { body });
  expect(await get(taskId)).toEqual(schedule);
  if (schedule.nextRunAt !== null) {
    // One of the moments that the rhythm has between the call and its answer.
    const rhythm = { ...schedule, cron: schedule.cron || null, taskId };
    expect([before, Date.now()].map((after) => nextRun({ ...rhythm, after }))).toContain(
      Date.parse(schedule.nextRunAt),
    );
  }
  return schedule;
}

describe('PUT /v0/tasks/{id}/schedule', () => {
  it.each(['HIGH', 'MEDIUM', 'LOW'])(
    'makes a schedule of criticality %s, answered bare',
    async (criticality) => {
      const taskId = await createTask();
      const schedule = await put(taskId, { criticality });
      expect(schedule).toEqual({
        applicationId: server.applicationId,
        taskId,
        criticality,
        cron: '',
        timezone: 'UTC',
        enabled: true,
        nextRunAt: expect.stringMatching(/Z$/) as string,
        lastRunAt: null,
      });
      const { json } = await server.call('GET', `/v0/tasks/${taskId}`);
      expect(json).toMatchObject({ task: { taskSchedule: schedule } });
    },
  );

  it('moves the moment by a cron expression and a time zone', async () => {
    const taskId = await createTask();
    const body = { criticality: 'MEDIUM', cron: '30 9 * * MON', timezone: 'America/New_York' };
    const { nextRunAt, ...schedule } = await put(taskId, body);
    expect(schedule).toMatchObject(body);
    const local = new Intl.DateTimeFormat('en', {
      timeZone: 'America/New_York',
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
    }).format(new Date(nextRunAt as string));
    expect(local).toMatch(/^Mon\W+9:3[0-4]\sAM$/);
  });

  it('keeps what is left out', async () => {
    const taskId = await createTask();
    const whole = { criticality: 'HIGH', cron: '0 9 * * *', timezone: 'Europe/Berlin', enabled: true };
    const first = await put(taskId, whole);
    expect(await put(taskId, { criticality: 'HIGH' })).toEqual(first);
    expect(await put(taskId, { criticality: 'HIGH', enabled: false })).toEqual({
      ...first,
      enabled: false,
      nextRunAt: null,
    });
    expect(await put(taskId, { criticality: 'LOW', cron: null, enabled: true })).toMatchObject({
      criticality: 'LOW',
      cron: '',
      timezone: 'Europe/Berlin',
      nextRunAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('rejects a cron expression that contradicts the criticality, given now or before', async () => {
    const taskId = await createTask();
    const first = await put(taskId, { criticality: 'HIGH', cron: '0 9 * * *' });
    for (const body of [
      { criticality: 'MEDIUM' },
      { criticality: 'LOW' },
      { criticality: 'MEDIUM', cron: '0 9 * * *' },
      { criticality: 'LOW', cron: '0 9 1,15 * *' },
      { criticality: 'HIGH', cron: '0 9 * * 1' },
      { criticality: 'HIGH', cron: '0 * * * *' },
    ]) {
      const { status, json } = await server.call('PUT', path(taskId), { body });
      const message = expect.stringMatching(
        `^With criticality ${body.criticality}, cron must match one time`,
      ) as string;
      expect([status, json]).toEqual([400, { message }]);
    }
    expect(await get(taskId)).toEqual(first);
  });

  const rejected: [rule: string, body: unknown, code: string, field: string][] = [
    ['a cron expression', { criticality: 'HIGH', cron: 'daily' }, 'invalid_string', 'cron'],
    [
      'a cron expression of five fields',
      { criticality: 'HIGH', cron: '0 0 9 * * *' },
      'invalid_string',
      'cron',
    ],
    ['a time zone', { criticality: 'HIGH', timezone: 'Mars/Base' }, 'invalid_string', 'timezone'],
    ['a time zone with a name', { criticality: 'HIGH', timezone: '+01:00' }, 'invalid_string', 'timezone'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: `PUT ${path(UNKNOWN)}` as const,
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );

  it('rejects archived tasks', async () => {
    const taskId = await createTask({ status: 'ARCHIVED' });
    const { status, json } = await server.call('PUT', path(taskId), { body: { criticality: 'HIGH' } });
    expect([status, json]).toEqual([409, { message: 'An archived task has no schedule' }]);
    expect((await server.call('GET', path(taskId))).status).toBe(404);
  });
});

describe('the next run', () => {
  const setStatus = (taskId: string, status: string) =>
    server.call('PUT', `/v0/tasks/${taskId}`, { body: { status } });

  it('is planned while the task is active only', async () => {
    const taskId = await createTask({ status: 'DRAFT' });
    expect(await put(taskId, { criticality: 'HIGH' })).toMatchObject({ enabled: true, nextRunAt: null });
    await setStatus(taskId, 'ACTIVE');
    expect(await get(taskId)).toMatchObject({ nextRunAt: expect.stringMatching(/Z$/) as string });
    for (const status of ['ARCHIVED', 'DRAFT']) {
      await setStatus(taskId, status);
      expect(await get(taskId)).toMatchObject({ enabled: true, nextRunAt: null });
    }
  });

  it('is not planned when a schedule that is off belongs to a task that becomes active', async () => {
    const taskId = await createTask({ status: 'DRAFT' });
    await put(taskId, { criticality: 'HIGH', enabled: false });
    await setStatus(taskId, 'ACTIVE');
    expect(await get(taskId)).toMatchObject({ enabled: false, nextRunAt: null });
  });
});

describe('DELETE /v0/tasks/{id}/schedule', () => {
  it('leaves the task without a schedule', async () => {
    const taskId = await createTask();
    await put(taskId, { criticality: 'HIGH' });
    const { status, text } = await server.call('DELETE', path(taskId));
    expect([status, text]).toEqual([204, '']);
    expect((await server.ok('GET', `/v0/tasks/${taskId}`)).task.taskSchedule).toBeNull();
    expect((await server.ok('GET', '/v0/tasks/ids?scheduleCriticality=HIGH')).taskIds).not.toContain(taskId);
    for (const method of ['GET', 'DELETE']) {
      const reply = await server.call(method, path(taskId));
      expect([reply.status, reply.json]).toEqual([404, { message: 'schedule not found' }]);
    }
  });

  it('happens when the task is deleted', async () => {
    const taskId = await createTask();
    await put(taskId, { criticality: 'HIGH' });
    expect((await server.call('DELETE', `/v0/tasks/${taskId}`)).status).toBe(204);
    const reply = await server.call('GET', path(taskId));
    expect([reply.status, reply.json]).toEqual([404, { message: 'task not found' }]);
  });
});

describe('a schedule', () => {
  it.each(['GET', 'PUT', 'DELETE'])('is found for %s by a uuid only', async (method) => {
    const call = method === 'PUT' ? { body: { criticality: 'LOW' } } : {};
    const { status, text } = await server.call(method, path('x'), call);
    expect(status).toBe(422);
    expect(text).toContain('"path":["id"]');
  });
});
