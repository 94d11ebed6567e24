import { type ReactNode, useEffect, useState } from 'react';
import type { FoundRecord } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import type { Href } from '../app/paths.ts';
import { formatMoment } from '../format/time.ts';

/** Records that are shown. */
const MAX_SHOWN = 24;
/** Milliseconds after the last letter at which a search starts. */
const WAIT_MS = 150;

interface Found {
  id: string;
  title: string;
  /** Tells it from others with the same name; empty without need. */
  detail: string;
  href: Href;
}

interface PaletteRecordsProps {
  text: string;
  /** Shows an entry that opens a screen. */
  entry: (found: Found & { what: string }) => ReactNode;
  /** Shows entries below a heading. */
  group: (heading: string, entries: ReactNode) => ReactNode;
}

const KINDS: readonly (readonly [kind: FoundRecord['kind'], heading: string])[] = [
  ['task', 'Tasks'],
  ['evaluator', 'Evaluators'],
  ['run', 'Runs'],
  ['experiment', 'Experiments'],
  ['issue', 'Issues'],
  ['topic', 'Topics'],
  ['document', 'Documents'],
];

/** Finds records by the words of their names. */
export function PaletteRecords({ text, entry, group }: PaletteRecordsProps): ReactNode {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const q = search.trim();
  const isWanted = q.length > 1;
  const found = useApi(
    '/v0/search',
    { query: { q, limit: MAX_SHOWN } },
    { enabled: isWanted, keepsRows: true },
  );
  if (!isWanted) return null;
  return KINDS.map(([kind, heading]) => {
    const records = (found.data?.data ?? []).filter((one) => one.kind === kind);
    return (
      records.length > 0 &&
      group(
        heading,
        records.map(({ id, title, detail, href }) =>
          entry({ id, title, detail: shownDetail(kind, detail), href: href as Href, what: kind }),
        ),
      )
    );
  });
}

/** Returns what tells runs and issues from each other: when they started, and their numbers. */
function shownDetail(kind: FoundRecord['kind'], detail: string): string {
  if (kind === 'run') return formatMoment(detail.replace(/^started /, ''));
  return kind === 'issue' ? detail : '';
}
