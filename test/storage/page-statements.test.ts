import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Owner } from '../../src/contract/owner.ts';
import { commands, queries } from '../../src/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { storeOwner } from '../support/command-meter.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const RECORDS = 10;

let folder: Folder;
let database: SqliteDatabase;
let owner: Owner;

beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  owner = storeOwner(database);
  for (let at = 1; at <= RECORDS; at++) storeOneOfEach(at);
});
afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

const experimentId = randomUUID();

function storeOneOfEach(at: number): void {
  const [taskId, documentId, quickstartId] = [randomUUID(), randomUUID(), randomUUID()];
  const task = {
    title: 'Task',
    description: '',
    type: 'STATIC',
    status: 'ACTIVE',
  } as const;
  const none = { metadata: null, simulatedPromptSchema: null, topicId: null, quickstartId: null };
  const taskFields = { ...task, ...none, inputExamples: ['Hello'], isVerified: false, evalDefinitions: [] };
  commands.createTask(database, { owner, id: taskId, fields: taskFields, at });
  const schedule = { criticality: 'HIGH' } as const;
  commands.putSchedule(database, { owner, taskId, given: schedule, at });
  const document = { title: 'Document', content: 'Text.', type: 'KNOWLEDGE', status: 'ACTIVE' } as const;
  const documentFields = { ...document, ...none, metadata: {}, assignee: null, isVerified: false };
  commands.createDocument(database, { owner, id: documentId, fields: documentFields, at });
  const version = { content: 'Another text.' };
  commands.createDocumentVersion(database, { owner, documentId, id: randomUUID(), fields: version, at });
  commands.createQuickstart(database, {
    owner,
    id: quickstartId,
    fields: { name: 'Start', styleGuideId: null },
    at,
  });
  const file = { fileName: 'a.csv', fileSize: 1, materialType: 'conversations' } as const;
  commands.createUpload(database, {
    application: owner.application,
    id: randomUUID(),
    quickstartId,
    ...file,
    at,
  });
  const experiment = {
    title: 'Experiment',
    description: '',
    inferenceStepIds: [],
    taskIds: [],
    assignee: null,
  };
  if (at === 1) commands.createExperiment(database, { owner, id: experimentId, fields: experiment, at });
  const variant = { title: 'Variant', description: null, status: 'DRAFT', configPatch: {} } as const;
  const [parent] = queries.listVariants(database, { owner, experimentId, query: page(1) }).data;
  const variantFields = { ...variant, parentId: parent?.id ?? null };
  commands.createVariant(database, { owner, experimentId, id: randomUUID(), fields: variantFields, at });
}

const page = (limit: number) => ({ skip: 0, limit, orderBy: 'createdAt', orderDir: 'asc' }) as const;

const LISTS = {
  tasks: (store: SqliteDatabase, limit: number) => queries.listTasks(store, { owner, query: page(limit) }),
  documents: (store: SqliteDatabase, limit: number) =>
    queries.listDocuments(store, { owner, query: page(limit) }),
  quickstarts: (store: SqliteDatabase, limit: number) =>
    queries.listQuickstarts(store, { owner, query: page(limit) }),
  variants: (store: SqliteDatabase, limit: number) =>
    queries.listVariants(store, { owner, experimentId, query: page(limit) }),
};

it.each(Object.entries(LISTS))('a page of %s takes as many statements as one record', (_name, list) => {
  const count = (limit: number): number => {
    let statements = 0;
    const counting = new Proxy(database, {
      get(target, name) {
        if (name === 'all' || name === 'get') statements += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(list(counting, limit).data).toHaveLength(limit);
    return statements;
  };
  expect(count(1)).toBeGreaterThan(0);
  expect(count(RECORDS)).toBe(count(1));
});

it('each record of a page has its own parts', () => {
  const { data: tasks } = LISTS.tasks(database, RECORDS);
  for (const { id, taskSchedule } of tasks) expect(taskSchedule?.taskId).toBe(id);
  const { data: documents } = LISTS.documents(database, RECORDS);
  for (const { id, content, versions } of documents) {
    expect(content).toBe('Text.');
    expect(versions.map(({ documentId, versionNumber }) => [documentId, versionNumber])).toEqual([
      [id, 2],
      [id, 1],
    ]);
  }
  const { data: quickstarts } = LISTS.quickstarts(database, RECORDS);
  for (const { id, uploads } of quickstarts) expect(uploads).toMatchObject([{ quickstartId: id }]);
});
