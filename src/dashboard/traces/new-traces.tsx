import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatWhole } from '../format/number.ts';
import { Kbd } from '../ui/kbd.tsx';
import type { TracesQuery } from './filter.ts';

/** Milliseconds between two looks. Pages in the background do not look. */
const EVERY_MS = 10_000;

interface NewTracesProps {
  query: TracesQuery;
  /** Time of the newest trace that is shown. */
  newest: string;
  onShow: () => void;
}

/** Says how many more traces match by now. The rows stay until somebody wants to see the new ones. */
export function NewTraces({ query, newest, onShow }: NewTracesProps): ReactNode {
  const startDate = new Date(Date.parse(newest) + 1).toISOString();
  const since = { ...query, startDate, limit: 1 };
  const count = useApi(
    ['traces', 'new', since],
    (api, signal) => api.GET('/v0/traces', { params: { query: since }, signal }),
    { refresh: () => EVERY_MS },
  );
  const total = count.data?.pagination.total ?? 0;
  useShortcuts(total === 0 ? [] : [{ keys: 'n', label: 'Show new traces', group: 'List', run: onShow }]);
  return (
    <p aria-live="polite" className={total === 0 ? 'sr-only' : 'border-b border-line px-4 py-1'}>
      {total > 0 && (
        <button type="button" className="cursor-pointer text-accent underline" onClick={onShow}>
          {formatWhole(total)} new {total === 1 ? 'trace matches' : 'traces match'} <Kbd keys="n" />
        </button>
      )}
    </p>
  );
}
