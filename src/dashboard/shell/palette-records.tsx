import { type ReactNode, useEffect, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import type { Href } from '../app/paths.ts';

/** Records of one kind that are shown. */
const MAX_SHOWN = 6;
/** Records of kinds that the server does not search, which are searched here. */
const MAX_LISTED = 100;
/** Milliseconds after the last letter at which a search starts. */
const WAIT_MS = 150;

interface Found {
  id: string;
  title: string;
  href: Href;
}

interface PaletteRecordsProps {
  text: string;
  /** Shows an entry that opens a screen. */
  entry: (found: Found & { what: string }) => ReactNode;
  /** Shows entries below a heading. */
  group: (heading: string, entries: ReactNode) => ReactNode;
}

/** Finds records by a part of their name: tasks, evaluators, topics and documents. */
export function PaletteRecords({ text, entry, group }: PaletteRecordsProps): ReactNode {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const wanted = search.trim();
  const options = { enabled: wanted.length > 1, keepsRows: true };
  const searched = { query: { search: wanted, limit: MAX_SHOWN } };
  const tasks = useApi('/v0/tasks', searched, options);
  const documents = useApi('/v0/documents', searched, options);
  const evaluators = useApi('/v0/definitions', { query: { limit: MAX_LISTED } }, options);
  const topics = useApi('/v0/topics', { query: { limit: MAX_LISTED } }, options);
  if (!options.enabled) return null;
  const kinds: readonly (readonly [what: string, found: readonly Found[]])[] = [
    ['Task', found(tasks.data?.data, '/tasks')],
    ['Evaluator', found(matching(evaluators.data?.data, wanted), '/evaluators')],
    ['Topic', found(matching(topics.data?.data, wanted), '/topics')],
    ['Document', found(documents.data?.data, '/documents')],
  ];
  return kinds.map(
    ([what, list]) =>
      list.length > 0 &&
      group(
        `${what}s`,
        list.map((one) => entry({ ...one, what })),
      ),
  );
}

type Named = { id: string; title?: string; name?: string };

const nameOf = ({ title, name }: Named): string => title ?? name ?? '';

/** Returns the records of whose names a word begins with the text. */
const matching = <T extends Named>(records: readonly T[] | undefined, text: string): T[] => {
  const wanted = text.toLowerCase();
  return (records ?? []).filter((record) => {
    const name = nameOf(record).toLowerCase();
    return name.startsWith(wanted) || name.includes(` ${wanted}`);
  });
};

const found = (
  records: readonly Named[] | undefined,
  path: '/tasks' | '/evaluators' | '/topics' | '/documents',
): Found[] =>
  (records ?? [])
    .slice(0, MAX_SHOWN)
    .map((record) => ({ id: record.id, title: nameOf(record), href: `${path}/${record.id}` }));
