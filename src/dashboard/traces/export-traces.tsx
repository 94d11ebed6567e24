import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { useSession } from '../api/session.ts';
import { ExportMenu, MAX_EXPORTED } from '../ui/export-menu.tsx';
import type { TracesQuery } from './query.ts';

/** Downloads the traces that match the filter as a file. */
export function ExportTraces({ query }: { query: TracesQuery }): ReactNode {
  const { client } = useSession();
  return (
    <ExportMenu
      name="traces"
      record="a trace"
      load={(format) =>
        answerOf<Blob>(
          client.GET('/v0/traces/export', {
            params: { query: { ...query, format, bom: format === 'csv', limit: MAX_EXPORTED } },
            parseAs: 'blob',
          }),
        )
      }
    />
  );
}
