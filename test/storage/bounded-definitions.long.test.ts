import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkInSteps, unlinkInSteps } from '../../src/resources/definitions/link-in-steps.ts';
import { updateInSteps } from '../../src/resources/definitions/update-in-steps.ts';
import { CommandMeter, storeOwner } from '../support/command-meter.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';
import { storeTask } from '../support/stored-tests.ts';

/** No command changes more links of definitions, and the scopes that follow from them. */
const MAX_ROWS = 1_200;

const application = 1;
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

let folder: Folder;
let meter: CommandMeter;
let owner: ReturnType<typeof storeOwner>;
let [taskIds, topicIds, evalIds]: string[][] = [];

beforeAll(() => {
  folder = temporaryFolder();
  meter = new CommandMeter(openDatabase(folder.file('store.db')));
  owner = storeOwner(meter.database);
});
afterAll(() => {
  meter.database.connection.close();
  folder[Symbol.dispose]();
});
beforeEach(() => {
  meter.changed = [];
  meter.kill = null;
  [taskIds, topicIds, evalIds] = [ids(100), ids(100), ids(100)];
  meter.database.connection.transaction(() => {
    for (const id of taskIds ?? []) storeTask(meter.database, application, id);
    for (const id of topicIds ?? [])
      meter.database.run(
        `INSERT INTO topic (id, application, title, status, is_tasks_verified, is_documents_verified,
           is_knowledge_base_verified, is_policies_verified, created_at, modified_at)
         VALUES (?, 1, 'topic', 'ACTIVE', 0, 0, 0, 0, 1, 1)`,
        id,
      );
    for (const id of evalIds ?? []) define(id);
  })();
});

function define(id: string): void {
  meter.database.run(
    `INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at)
     VALUES (?, 1, 'Definition', 'CUSTOM', 'ACTIVE', '{"criterion":"Kind?"}', 1, 1, 0, 0)`,
    id,
  );
}

function linkToTasks(id: string, count: number): void {
  const { database } = meter;
  database.connection.transaction(() => {
    for (const target of ids(count))
      database.run(
        `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
         VALUES (1, ?, 'task', ?, '{}', 1)`,
        id,
        target,
      );
  })();
}

const links = () => ({
  application,
  evalIds: evalIds ?? [],
  taskIds: taskIds ?? [],
  topicIds: topicIds ?? [],
  at: 1,
});
const linked = (): number =>
  meter.count(
    `SELECT count(*) AS n FROM definition_link WHERE definition_id IN ('${(evalIds ?? []).join(`', '`)}')`,
  );

describe('links of definitions', () => {
  it('are made and removed by bounded commands, as many as one request may name', async () => {
    await linkInSteps(meter.write, links());
    expect(linked()).toBe(20_000);
    await unlinkInSteps(meter.write, links());
    expect(linked()).toBe(0);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(MAX_ROWS);
  });

  it('with long configs are made by commands that write few of them', async () => {
    const config = { expected: 'x'.repeat(19_000) };
    await linkInSteps(meter.write, { ...links(), evalIds: links().evalIds.slice(0, 10), config });
    expect(linked()).toBe(2_000);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(220);
  });

  it('are all made by the same request after the process ended in between', async () => {
    meter.kill = 5;
    await expect(linkInSteps(meter.write, links())).rejects.toThrow('the process ended');
    expect(linked()).toBe(2_000);
    meter.kill = null;
    await linkInSteps(meter.write, links());
    expect(linked()).toBe(20_000);
  });

  it.each<[what: string, spoil: () => Partial<ReturnType<typeof links>>, code: string]>([
    [
      'a task that is not there',
      () => ({ taskIds: [...links().taskIds.slice(1), randomUUID()] }),
      'not_found',
    ],
    [
      'a definition that is not there',
      () => ({ evalIds: [...links().evalIds.slice(1), randomUUID()] }),
      'not_found',
    ],
    [
      'a topic that would have too many',
      () => {
        const [one] = ids(1) as [string];
        define(one);
        meter.run('linkDefinitionsToTargets', {
          ...links(),
          evalIds: [one],
          taskIds: [],
          topicIds: topicIds?.slice(99),
        });
        return {};
      },
      'conflict',
    ],
  ])('are not made at all when a request names %s', async (_what, spoil, code) => {
    const request = { ...links(), ...spoil() };
    await expect(linkInSteps(meter.write, request)).rejects.toMatchObject({ code });
    expect(linked()).toBe(0);
    if (code === 'conflict') return;
    await linkInSteps(meter.write, links());
    await expect(unlinkInSteps(meter.write, request)).rejects.toMatchObject({ code });
    expect(linked()).toBe(20_000);
  });

  it.each<[what: string, end: (id: string) => boolean, left: number]>([
    ['deleted', (id) => meter.run('deleteDefinition', { owner, id, at: 2 }) === true, 0],
    [
      'archived',
      (id) =>
        meter.run('updateDefinition', { owner, id, given: { status: 'ARCHIVED' }, at: 2, versions: null }) ===
        null,
      1,
    ],
  ])('of a definition that is %s go by bounded commands, and it follows them', (_what, end, left) => {
    const [id] = evalIds as [string];
    linkToTasks(id, 3_000);
    const active = `SELECT count(*) AS n FROM definition WHERE id = '${id}' AND status = 'ACTIVE'`;
    expect([end(id), meter.count(active)]).toEqual([true, 1]);
    while (end(id));
    expect(linked()).toBe(0);
    expect(meter.count(active)).toBe(0);
    expect(meter.count(`SELECT count(*) AS n FROM definition WHERE id = '${id}'`)).toBe(left);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(MAX_ROWS);
  });

  it('of a definition that another caller changes between two steps are not all removed, which the error says, and the change stays', async () => {
    const [id] = evalIds as [string];
    linkToTasks(id, 3_000);
    const versions = [new Date(0).toISOString()];
    let steps = 0;
    const write: typeof meter.write = (name, args) => {
      if (steps++ === 1)
        meter.run('updateDefinition', { owner, id, given: { name: 'By another' }, at: 0, versions: null });
      return meter.write(name, args);
    };
    await expect(
      updateInSteps(write, { owner, id, given: { status: 'ARCHIVED' }, at: 0, versions }),
    ).rejects.toMatchObject({
      code: 'precondition_failed',
      message: expect.stringMatching(/from\. Some of its links have been removed already; /) as string,
    });
    expect(linked()).toBeGreaterThan(0);
    const now = `SELECT count(*) AS n FROM definition WHERE id = '${id}' AND status = 'ACTIVE' AND name = 'By another'`;
    expect(meter.count(now)).toBe(1);
  });
});
