import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { CommandMeter, storeOwner } from '../support/command-meter.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

it('a quickstart is completed by commands that approve few long documents each', () => {
  using folder = temporaryFolder();
  const meter = new CommandMeter(openDatabase(folder.file('store.db')));
  const { database } = meter;
  const owner = storeOwner(database);
  const quickstartId = randomUUID();
  database.run(
    `INSERT INTO quickstart (id, application, name, status, created_at, modified_at)
     VALUES (?, 1, 'Quickstart', 'STYLE_REVIEW', 1, 1)`,
    quickstartId,
  );
  const content = 'Sentences of words. '.repeat(20_000);
  for (let made = 0; made < 12; made++)
    meter.run('createDocument', {
      owner,
      id: randomUUID(),
      fields: {
        title: 'Document',
        content,
        type: 'KNOWLEDGE',
        status: 'DRAFT',
        assignee: null,
        isVerified: false,
        topicId: null,
        quickstartId,
        metadata: {},
      },
      at: 1,
    });
  const drafts = (): number => meter.count(`SELECT count(*) AS n FROM document WHERE status = 'DRAFT'`);
  meter.run('confirmStyleScores', { owner, id: quickstartId, at: 1 });
  const left: number[] = [];
  for (let isDone = false; !isDone; left.push(drafts()))
    isDone = meter.run('completeQuickstart', { application: 1, id: quickstartId, jobId: 0, at: 1 }) === true;
  // Three of 400 000 characters are more than 1 MiB.
  expect(left).toEqual([9, 6, 3, 0]);
  expect(meter.count(`SELECT count(*) AS n FROM quickstart WHERE status = 'COMPLETE'`)).toBe(1);
  database.connection.close();
});
