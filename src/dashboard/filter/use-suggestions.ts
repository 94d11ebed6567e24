import { useEffect, useState } from 'react';
import type { FilterSuggestion } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { formatMoment } from '../format/time.ts';
import { useViews } from '../views/use-views.ts';
import { added } from './line.ts';
import { recentFilters } from './recent-filters.ts';

export type FilteredScreen = 'traces' | 'tests' | 'results' | 'sessions';

/** A way to continue the line. */
export interface LineChoice {
  group: string;
  text: string;
  hint: string;
  count: number | null;
  /** Text that is written next, for the beginning of a term; null if the choice is complete. */
  draft: string | null;
  /** The complete line, for a complete choice. */
  line: string;
}

/** Milliseconds without a key after which suggestions are looked up. */
const PAUSE_MS = 120;
/** Most filters and views that are suggested. */
const MAX_LINES = 5;
const GROUPS: Readonly<Record<FilterSuggestion['kind'], string>> = {
  FIELD: 'Fields',
  VALUE: 'Values',
  TEXT: 'Words',
};

/** Returns the ways to continue a line with what is written after it, while `isOpen`. */
export function useSuggestions(
  screen: FilteredScreen,
  line: string,
  draft: string,
  isOpen: boolean,
): LineChoice[] {
  const settled = useSettled(draft, PAUSE_MS);
  const q = line === '' ? settled : `${line} ${settled}`;
  const found = useApi('/v0/filter/suggest', { query: { screen, q } }, { enabled: isOpen, keepsRows: true });
  const lines = useLines(screen, line, draft);
  if (!isOpen) return [];
  // Until those for the last letters are there, others stay only if they begin as what is written.
  const isCurrent = settled === draft && !found.isPlaceholderData;
  const fitting = (found.data?.data ?? []).filter(
    ({ insert }) => isCurrent || insert.toLowerCase().startsWith(draft.toLowerCase()),
  );
  const suggested = fitting.map(({ kind, insert, hint, count }): LineChoice => {
    const next = kind === 'FIELD' ? insert : null;
    return {
      group: GROUPS[kind],
      text: insert,
      hint,
      count: count ?? null,
      draft: next,
      line: added(line, insert),
    };
  });
  return [...suggested, ...lines];
}

/** Returns filters of this browser and saved views that contain what is written. */
function useLines(screen: FilteredScreen, line: string, draft: string): LineChoice[] {
  const { application } = useSession();
  const views = useViews(screen);
  const wanted = draft.toLowerCase();
  const fits = (text: string): boolean => text !== line && text.toLowerCase().includes(wanted);
  const recent = recentFilters({ applicationId: application.id, screen })
    .filter((one) => fits(one.line))
    .map((one) =>
      choiceOf('Recent filters', one.line, formatMoment(new Date(one.at).toISOString()), one.line),
    );
  const saved = (views.data?.data ?? []).flatMap(({ name, filter }) => {
    const text = filter['q']?.join(' ') ?? '';
    return text !== '' && (fits(text) || name.toLowerCase().includes(wanted))
      ? [choiceOf('Saved views', name, text, text)]
      : [];
  });
  return [...recent.slice(0, MAX_LINES), ...saved.slice(0, MAX_LINES)];
}

const choiceOf = (group: string, text: string, hint: string, line: string): LineChoice => ({
  group,
  text,
  hint,
  count: null,
  draft: null,
  line,
});

/** Returns a value once it has stayed the same for a time. */
function useSettled(value: string, milliseconds: number): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
