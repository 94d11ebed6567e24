import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { CommandMeter, storeOwner } from '../support/command-meter.ts';
import { queryPlan } from '../support/query-plan.ts';
import { traceBytes } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

it.each(['RANDOM', 'FAILED'])(
  'a draw (%s) looks up the items of a trace, not those of the queue',
  (selection) => {
    using folder = temporaryFolder();
    const statements: string[] = [];
    const database = openDatabase(folder.file('store.db'), (sql) => statements.push(sql));
    const meter = new CommandMeter(database);
    const owner = storeOwner(database);
    new Tenant(database, 1).store([{ id: 1 }]);
    const queueId = randomUUID();
    database.run(
      `INSERT INTO annotation_queue (id, application, title, created_at, modified_at) VALUES (?, 1, 'Queue', 1, 1)`,
      queueId,
    );
    statements.length = 0;
    const drawn = [{ id: randomUUID(), traceId: traceBytes(1), weight: 1 }];
    const draw = { queueId, count: 1, selection };
    const items = { draw, drawId: randomUUID(), selection, population: 1, offered: 1, drawn };
    meter.run('createDrawnItems', { owner, items, at: 1 });
    const ran = [...statements];
    expect(meter.count('SELECT count(*) AS n FROM annotation_queue_item')).toBe(1);
    const details = ran
      .filter((sql) => sql.includes('annotation_queue_item') && !sql.startsWith('INSERT'))
      .flatMap((sql) => queryPlan(database, sql))
      .map(({ detail }) => detail)
      .filter((detail) => /(?:SCAN|SEARCH) (?:item|annotation_queue_item)\b/.test(detail));
    expect(details.length).toBeGreaterThan(1);
    for (const detail of details) expect(detail).toMatch(/trace_id=\?|\(id=\?\)|application=\? AND id=\?/);
    database.connection.close();
  },
);
