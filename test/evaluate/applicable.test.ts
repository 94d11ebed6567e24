import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { definitionsFor, definitionsToPlan } from '../../src/evaluate/applicable.ts';
import { type LinkKind, linkDefinitions } from '../../src/resources/definitions/definition-links.ts';
import { useStore } from '../support/storage.ts';
import { storeTask } from '../support/stored-tests.ts';

const store = useStore();
let application: number;
let taskId: string;
let topicId: string;
beforeEach(() => {
  application = store.newTenant().application;
  [taskId, topicId] = [randomUUID(), randomUUID()];
  storeTask(store.database(), application, taskId);
  moveTo(topicId);
});

function moveTo(topic: string | null): void {
  store.database().run('UPDATE task SET topic_id = ? WHERE id = ?', topic, taskId);
}

function define(name: string, more: { status?: string; styleGuideId?: string } = {}): string {
  const id = randomUUID();
  store.database().run(
    `INSERT INTO definition (id, application, name, type, status, global_config, style_guide_id, version, repeats,
       created_at, modified_at) VALUES (?, ?, ?, 'CUSTOM', ?, '{"criterion":"Kind","own":[1]}', ?, 4, 3, 0, 0)`,
    id,
    application,
    name,
    more.status ?? 'ACTIVE',
    more.styleGuideId ?? null,
  );
  return id;
}

function link(kind: LinkKind, targetId: string, definitionIds: string[], expected?: unknown): void {
  const config = expected === undefined ? undefined : { expected };
  linkDefinitions(store.database(), {
    application,
    kind,
    targetIds: [targetId],
    definitionIds,
    config,
    at: 0,
  });
}

function found(task: string | null = taskId): [string, unknown][] {
  const definitions = definitionsFor(store.database(), { application, taskId: task });
  if (task !== null)
    expect(definitionsToPlan(store.database(), { application, taskId: task })).toEqual(
      definitions.map(({ definitionId, version, type }) => ({ definitionId, version, type })),
    );
  return definitions.map(({ name, expected }) => [name, expected]);
}

describe('the definitions that judge a test', () => {
  it('contain everything that is needed to judge', () => {
    const styleGuideId = randomUUID();
    const styleGuide = [{ heading: 'Tone', content: 'Warm', approved: true }];
    store
      .database()
      .run(
        'INSERT INTO style_guide (id, application, content, created_at, modified_at) VALUES (?, ?, ?, 0, 0)',
        styleGuideId,
        application,
        JSON.stringify(styleGuide),
      );
    const definitionId = define('style', { styleGuideId });
    link('task', taskId, [definitionId], { list: [1, null] });
    const definition = {
      name: 'style',
      type: 'CUSTOM',
      version: 4,
      repeats: 3,
      config: { criterion: 'Kind', own: [1] },
    };
    expect(definitionsFor(store.database(), { application, taskId })).toEqual([
      { definitionId, ...definition, expected: { list: [1, null] }, styleGuide },
    ]);
  });

  it('are linked to the task, its topic or the application, the nearest first, in the order of their links', () => {
    const [first, second, ofTopic, ofApplication] = [define('1'), define('2'), define('3'), define('4')];
    link('application', randomUUID(), [ofApplication]);
    link('topic', topicId, [ofTopic]);
    link('task', taskId, [second, first]);
    expect(found().map(([name]) => name)).toEqual(['2', '1', '3', '4']);
  });

  it.each<[links: LinkKind[], expected: unknown]>([
    [['application', 'topic', 'task'], 'task'],
    [['application', 'topic'], 'topic'],
    [['application'], 'application'],
  ])('linked by %j come once, with what the nearest link expects', (kinds, expected) => {
    const id = define('x');
    for (const kind of kinds)
      link(kind, { task: taskId, topic: topicId, application: randomUUID() }[kind], [id], kind);
    expect(found()).toEqual([['x', expected]]);
  });

  it('expect nothing when the nearest link does not', () => {
    const id = define('x');
    link('topic', topicId, [id], 'of the topic');
    link('task', taskId, [id]);
    expect(found()).toEqual([['x', undefined]]);
  });

  it.each([['DRAFT'], ['ARCHIVED']])('are not %s', (status) => {
    const id = define('x');
    link('task', taskId, [id]);
    store.database().run('UPDATE definition SET status = ? WHERE id = ?', status, id);
    expect(found()).toEqual([]);
  });

  it('are not those of another task or topic, nor of the topic it was in', () => {
    const [inTopic, elsewhere] = [define('topic'), define('elsewhere')];
    link('topic', topicId, [inTopic]);
    link('topic', randomUUID(), [elsewhere]);
    link('task', randomUUID(), [elsewhere]);
    expect(found()).toEqual([['topic', undefined]]);
    moveTo(null);
    expect(found()).toEqual([]);
  });

  it('without a task are those of the application', () => {
    const [ofTask, ofTopic, ofApplication] = [define('task'), define('topic'), define('application')];
    link('task', taskId, [ofTask]);
    link('topic', topicId, [ofTopic]);
    link('application', randomUUID(), [ofApplication], 1);
    expect(found(null)).toEqual([['application', 1]]);
  });

  it('are of the same application', () => {
    link('application', randomUUID(), [define('x')]);
    link('task', taskId, [define('y')]);
    const another = store.newTenant().application;
    expect(definitionsFor(store.database(), { application: another, taskId })).toEqual([]);
  });
});
