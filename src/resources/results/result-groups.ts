import { withIds } from '../../storage/rows-by-id.ts';
import type { Database } from '../../storage/database.ts';
import { definitions } from '../definitions/record.ts';
import { shortTags } from '../tags/record.ts';
import { tasks } from '../tasks/record.ts';
import { topics } from '../topics/record.ts';
import type { ResultGroup, ResultGroups } from './contract.ts';
import type { IndexedExample } from './result-index.ts';
import { lastSide } from './result-order.ts';

type Grouped = Omit<ResultGroup, 'count'>;
type GroupOf = (example: IndexedExample) => Grouped;

const taskTopics = tasks.pick('id', 'topicId');
const topicTitles = topics.pick('id', 'title');
const evaluatorNames = definitions.pick('id', 'name');

const NONE = '';

/** Puts examples that are in the default order into groups: those with the most failures first, then the largest. */
export function groupedExamples(
  database: Database,
  application: number,
  examples: readonly IndexedExample[],
  groupBy: ResultGroups,
): { examples: readonly IndexedExample[]; groupOf: (example: IndexedExample) => ResultGroup } {
  const rule = GROUPS[groupBy](database, application, examples);
  const groups = new Map<string, { group: ResultGroup; failed: number }>();
  const keys = new Map<IndexedExample, string>();
  for (const example of examples) {
    const { key, title } = rule(example);
    const known = groups.get(key) ?? { group: { key, title, count: 0 }, failed: 0 };
    known.group.count += 1;
    const outcome = lastSide(example)?.outcome;
    if (outcome === 'FAILED' || outcome === 'APP_ERROR') known.failed += 1;
    groups.set(key, known);
    keys.set(example, key);
  }
  const sorted = [...groups.values()].sort(
    (a, b) =>
      b.failed - a.failed || b.group.count - a.group.count || (a.group.title < b.group.title ? -1 : 1),
  );
  const places = new Map(sorted.map(({ group }, place) => [group.key, place]));
  const keyOf = (example: IndexedExample): string => keys.get(example) ?? NONE;
  const placeOf = (example: IndexedExample): number => places.get(keyOf(example)) ?? 0;
  return {
    examples: examples.toSorted((a, b) => placeOf(a) - placeOf(b)),
    groupOf: (example) => groups.get(keyOf(example))?.group ?? { key: NONE, title: '', count: 0 },
  };
}

type GroupRule = (database: Database, application: number, examples: readonly IndexedExample[]) => GroupOf;

const GROUPS: Readonly<Record<ResultGroups, GroupRule>> = {
  evaluator: (database, application, examples) => {
    const ids = new Set(examples.flatMap((example) => evaluatorOf(example) ?? []));
    const names = evaluatorNames.byIds(database, application, [...ids]);
    return (example) => {
      const id = evaluatorOf(example);
      if (id !== null) return { key: id, title: names.get(id)?.name ?? 'A deleted evaluator' };
      const outcome = lastSide(example)?.outcome;
      return outcome === 'APP_ERROR'
        ? { key: 'APP_ERROR', title: 'App error' }
        : { key: NONE, title: 'No evaluator failed' };
    };
  },
  topic: (database, application, examples) => {
    const ofTask = taskTopics.byIds(database, application, taskIdsOf(examples));
    const ids = new Set([...ofTask.values()].flatMap(({ topicId }) => topicId ?? []));
    const titles = topicTitles.byIds(database, application, [...ids]);
    return ({ taskId }) => {
      const id = ofTask.get(taskId)?.topicId ?? null;
      return id === null ? { key: NONE, title: 'No topic' } : { key: id, title: titles.get(id)?.title ?? '' };
    };
  },
  tag: (database, application, examples) => {
    const link = { table: 'task_tag', column: 'task_id' } as const;
    const found = shortTags(database, link, { application, ids: taskIdsOf(examples) });
    return ({ taskId }) => {
      const names = (found.get(taskId) ?? []).map(({ name }) => name);
      return names.length === 0
        ? { key: NONE, title: 'No tag' }
        : { key: names.join(), title: names.join(', ') };
    };
  },
  subset: (database, application, examples) => {
    const ids = JSON.stringify(examples.flatMap(({ exampleId }) => exampleId ?? []));
    const rows = database.all<{ id: string; split: string | null }>(
      `SELECT id, split FROM ${withIds('example')}`,
      { application, ids },
    );
    const splits = new Map(rows.map(({ id, split }) => [id, split]));
    return ({ exampleId }) => {
      const split = splits.get(exampleId ?? '') ?? null;
      return split === null ? { key: NONE, title: 'No subset' } : { key: split, title: split };
    };
  },
};

const taskIdsOf = (examples: readonly IndexedExample[]): string[] => [
  ...new Set(examples.map(({ taskId }) => taskId)),
];

/** Returns the evaluator that an example failed by; null if it did not fail by one. */
function evaluatorOf(example: IndexedExample): string | null {
  const side = lastSide(example);
  const [kind, id = null] = (side?.causeKey ?? '').split(':');
  return kind === 'verdict' && side?.outcome === 'FAILED' ? id : null;
}
