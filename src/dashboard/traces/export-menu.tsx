import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { useMutation } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { announce } from '../ui/status-line.tsx';
import type { TracesQuery } from './query.ts';

type Format = 'csv' | 'jsonl' | 'parquet';

/** Most traces in a file that a browser keeps in its memory until it is complete. */
const MAX_TRACES = 50_000;

/** Downloads the traces that match the filter as a file. */
export function ExportMenu({ query }: { query: TracesQuery }): ReactNode {
  const { client } = useSession();
  const download = useMutation({
    mutationFn: async (format: Format) => {
      announce('Export is being prepared');
      const call = client.GET('/v0/traces/export', {
        params: { query: { ...query, format, limit: MAX_TRACES } },
        parseAs: 'blob',
      });
      saveBlob(await answerOf<Blob>(call), `traces.${format}`);
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
        <MenuItem onChoose={() => download.mutate('jsonl')}>JSON, a trace in each line</MenuItem>
        <MenuItem onChoose={() => download.mutate('parquet')}>Parquet, for data tools</MenuItem>
      </Menu>
      <ErrorLine error={download.error} />
    </>
  );
}
