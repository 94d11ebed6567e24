import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorLine } from './error-panel.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { saveBlob } from './save-blob.ts';
import { announce } from './status-line.tsx';

export type FileFormat = 'csv' | 'jsonl' | 'parquet';

/** Most records in a file that a browser keeps in its memory until it is complete. */
export const MAX_EXPORTED = 50_000;

/** Downloads what a list shows as a file. `name` is the name of the file; `record` is what each line of JSON is. */
export function ExportMenu({
  name,
  record,
  load,
}: {
  name: string;
  record: string;
  load: (format: FileFormat) => Promise<Blob>;
}): ReactNode {
  const download = useMutation({
    mutationFn: async (format: FileFormat) => {
      announce('Export is being prepared');
      saveBlob(await load(format), `${name}.${format}`);
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
        <MenuItem onChoose={() => download.mutate('jsonl')}>JSON, {record} in each line</MenuItem>
        <MenuItem onChoose={() => download.mutate('parquet')}>Parquet, for data tools</MenuItem>
      </Menu>
      <ErrorLine error={download.error} />
    </>
  );
}
