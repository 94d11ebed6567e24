import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { announce } from '../ui/status-line.tsx';
import type { GridQuery } from './use-results.ts';

type Format = 'csv' | 'jsonl' | 'parquet';

/** Most examples in a file that a browser keeps in its memory until it is complete. */
const MAX_EXAMPLES = 50_000;

/** Downloads the results that match the filter as a file. */
export function ExportResults({ query }: { query: GridQuery }): ReactNode {
  const { client } = useSession();
  const { side, outcome, change, causeKey, q } = query;
  const download = useMutation({
    mutationFn: async (format: Format) => {
      announce('Export is being prepared');
      const filter = {
        side,
        ...(outcome && { outcome }),
        ...(change && { change }),
        ...(causeKey && { causeKey }),
        ...(q !== undefined && { q }),
      };
      const call = client.GET('/v0/results/export', {
        params: { query: { ...filter, format, limit: MAX_EXAMPLES } },
        parseAs: 'blob',
      });
      saveBlob(await answerOf<Blob>(call), `results.${format}`);
    },
    onSuccess: () => announce('Export is complete'),
  });
  return (
    <>
      <Menu
        trigger={
          <Button disabled={download.isPending}>
            <Download size={13} aria-hidden="true" />
            {download.isPending ? 'Exporting …' : 'Export'}
          </Button>
        }
      >
        <MenuItem onChoose={() => download.mutate('csv')}>CSV, for spreadsheets</MenuItem>
        <MenuItem onChoose={() => download.mutate('jsonl')}>JSON, an example in each line</MenuItem>
        <MenuItem onChoose={() => download.mutate('parquet')}>Parquet, for data tools</MenuItem>
      </Menu>
      <ErrorLine error={download.error} />
    </>
  );
}
