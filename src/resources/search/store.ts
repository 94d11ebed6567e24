import type { Database } from '../../storage/database.ts';
import { containsText, inTimeAtEach, orderedJoin } from '../../storage/dialect.ts';
import type { FoundRecord, SearchKind, SearchQuery } from './contract.ts';

/** Most words of a query that must match. */
const MAX_WORDS = 8;

interface Source {
  /** SQL of the tables, with `WHERE` and conditions that others may follow. */
  from: string;
  id: string;
  /** SQL of the name. */
  title: string;
  createdAt: string;
  path: string;
}

const archivable = (table: string, title: string, path: string): Source => ({
  from: `${table} WHERE ${table}.application = :application AND ${table}.status <> 'ARCHIVED'`,
  id: `${table}.id`,
  title: `${table}.${title}`,
  createdAt: `${table}.created_at`,
  path,
});

const SOURCES: Readonly<Record<SearchKind, Source>> = {
  task: archivable('task', 'title', '/tasks'),
  evaluator: archivable('definition', 'name', '/evaluators'),
  run: {
    from: `task ${orderedJoin} run ON run.application = task.application AND run.task_id = task.id
      WHERE task.application = :application`,
    id: 'run.id',
    title: 'task.title',
    createdAt: 'run.created_at',
    path: '/runs',
  },
  experiment: archivable('experiment', 'title', '/experiments'),
  topic: archivable('topic', 'title', '/topics'),
  document: archivable('document', 'title', '/documents'),
};

interface FoundRow {
  id: string;
  title: string;
  createdAt: number;
}

/** Finds records of which the words of the name begin as those of the query. */
function searchRecords(
  database: Database,
  { application, query: { q, kinds, limit } }: { application: number; query: SearchQuery },
): FoundRecord[] {
  const words = q.trim().split(/\s+/).slice(0, MAX_WORDS);
  const wanted = kinds ?? (Object.keys(SOURCES) as SearchKind[]);
  const found = wanted.flatMap((kind) =>
    rowsOf(database, { application, source: SOURCES[kind], words, limit }).map((row) => ({ kind, ...row })),
  );
  const start = q.trim().toLowerCase();
  const isFirst = ({ title }: FoundRow): boolean => title.toLowerCase().startsWith(start);
  return found
    .toSorted(
      (a, b) =>
        Number(isFirst(b)) - Number(isFirst(a)) ||
        wanted.indexOf(a.kind) - wanted.indexOf(b.kind) ||
        b.createdAt - a.createdAt,
    )
    .slice(0, limit)
    .map(({ kind, id, title, createdAt }) => ({
      kind,
      id,
      title,
      detail: kind === 'run' ? `started ${new Date(createdAt).toISOString()}` : kind,
      href: `${SOURCES[kind].path}/${id}`,
    }));
}

function rowsOf(
  database: Database,
  {
    application,
    source,
    words,
    limit,
  }: { application: number; source: Source; words: string[]; limit: number },
): FoundRow[] {
  const { from, id, title, createdAt } = source;
  // A word begins at the beginning of the name, or after a space.
  const matches = words.map((_, at) => containsText(`:word${at}`, `' ' || ${title}`));
  return database.all<FoundRow>(
    `SELECT ${id} AS id, ${title} AS title, ${createdAt} AS "createdAt" FROM ${from} AND ${[inTimeAtEach(id), ...matches].join(' AND ')}
     ORDER BY ${createdAt} DESC, ${id} LIMIT :limit`,
    { application, limit, ...Object.fromEntries(words.map((word, at) => [`word${at}`, ` ${word}`])) },
  );
}

export const searchQueries = { searchRecords };
