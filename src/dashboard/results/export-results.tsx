import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { useSession } from '../api/session.ts';
import { ExportMenu, MAX_EXPORTED } from '../ui/export-menu.tsx';
import type { GridQuery } from './use-results.ts';

/** Downloads the results that match the filter as a file. */
export function ExportResults({ query }: { query: GridQuery }): ReactNode {
  const { client } = useSession();
  const { side, outcome, change, causeKey, q } = query;
  const filter = {
    side,
    ...(outcome && { outcome }),
    ...(change && { change }),
    ...(causeKey && { causeKey }),
    ...(q !== undefined && { q }),
  };
  return (
    <ExportMenu
      name="results"
      record="an example"
      load={(format) =>
        answerOf<Blob>(
          client.GET('/v0/results/export', {
            params: { query: { ...filter, format, bom: format === 'csv', limit: MAX_EXPORTED } },
            parseAs: 'blob',
          }),
        )
      }
    />
  );
}
