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
  /** SQL of the name of a record in its path. Default: its id. */
  place?: string;
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
  issue: {
    from: 'issue WHERE issue.application = :application AND issue.merged_into IS NULL',
    id: 'issue.id',
    title: 'issue.title',
    createdAt: 'issue.created_at',
    path: '/issues',
    place: 'issue.number',
  },
  topic: archivable('topic', 'title', '/topics'),
  document: archivable('document', 'title', '/documents'),
};

interface FoundRow {
  id: string;
  place: string | number;
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
    .map(({ kind, id, place, title, createdAt }) => ({
      kind,
      id,
      title,
      detail: detailOf(kind, { place, createdAt }),
      href: `${SOURCES[kind].path}/${place}`,
    }));
}

/** Says what tells a record from others with the same name. */
function detailOf(kind: SearchKind, { place, createdAt }: Pick<FoundRow, 'place' | 'createdAt'>): string {
  if (kind === 'run') return `started ${new Date(createdAt).toISOString()}`;
  return kind === 'issue' ? `#${place}` : kind;
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
  const { from, id, title, createdAt, place = id } = source;
  // A word begins at the beginning of the name, or after a space.
  const matches = words.map((_, at) => containsText(`:word${at}`, `' ' || ${title}`));
  return database.all<FoundRow>(
    `SELECT ${id} AS id, ${place} AS place, ${title} AS title, ${createdAt} AS "createdAt" FROM ${from} AND ${[inTimeAtEach(id), ...matches].join(' AND ')}
     ORDER BY ${createdAt} DESC, ${id} LIMIT :limit`,
    { application, limit, ...Object.fromEntries(words.map((word, at) => [`word${at}`, ` ${word}`])) },
  );
}

export const searchQueries = { searchRecords };
