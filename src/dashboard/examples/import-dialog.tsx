import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ExampleImport, Task } from '../../api/generated/schema.ts';
import { formOf } from '../api/form.ts';
import { useAction } from '../api/use-api.ts';
import { formatBytes, formatWhole } from '../format/number.ts';
import { FileReport } from '../ui/file-report.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { CommandText } from '../ui/states.tsx';
import { ImportCheck } from './import-check.tsx';

/** Largest file that the server reads in one request. */
const MAX_BYTES = 32 * 1024 * 1024;

interface ImportDialogProps {
  task: Task;
  onClose: () => void;
}

interface Chosen {
  file: File;
  mapping: Readonly<Record<string, string | null>>;
}

/** Imports examples from a file: shows first what each column becomes and which rows are rejected, then stores the others. */
export function ImportDialog({ task, onClose }: ImportDialogProps): ReactNode {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const check = useImport(task.id, { dryRun: true });
  const run = useImport(task.id, { dryRun: false });
  const isTooLarge = chosen !== null && chosen.file.size > MAX_BYTES;
  const choose = (next: Chosen): void => {
    setChosen(next);
    check.reset();
    if (next.file.size <= MAX_BYTES) check.mutate(next);
  };
  if (run.data) return <ImportFinished report={run.data.data} onClose={onClose} />;
  const report = check.data?.data;
  const usable = report ? report.created + report.updated + report.unchanged : 0;
  return (
    <AskDialog
      title="Import examples"
      action={run.isPending ? 'Importing …' : `Import${usable > 0 ? ` ${formatWhole(usable)}` : ''}`}
      isWide
      isBusy={run.isPending || usable === 0}
      error={run.error ?? check.error}
      onConfirm={() => chosen && run.mutate(chosen)}
      onClose={onClose}
    >
      <TextField
        label="File"
        type="file"
        accept=".csv,.tsv,.jsonl,.ndjson,.json,.yaml,.yml,.parquet,.xlsx"
        required
        className="py-[3px]"
        help={
          chosen
            ? formatBytes(chosen.file.size)
            : 'CSV with a header, Excel, JSONL, JSON, YAML or Parquet, also of promptfoo, LangSmith and Langfuse; at most 32 MiB.'
        }
        problem={isTooLarge ? 'must be at most 32 MiB' : undefined}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) choose({ file, mapping: {} });
        }}
      />
      {check.isPending && <p role="status">Reading the file …</p>}
      {report && chosen && (
        <ImportCheck
          report={report}
          onMap={(field, column) => choose({ ...chosen, mapping: { ...chosen.mapping, [field]: column } })}
        />
      )}
      {(chosen === null || isTooLarge) && (
        <div className="grid grid-cols-1 gap-1">
          <p className="text-dim">Larger files are imported in steps from the command line:</p>
          <CommandText text={`touchstone import ${chosen?.file.name ?? 'questions.csv'} --task ${task.id}`} />
        </div>
      )}
    </AskDialog>
  );
}

/** Returns the import of a file. A dry run stores nothing, so no other call is made again. */
const useImport = (
  taskId: string,
  { dryRun }: { dryRun: boolean },
): UseMutationResult<{ data: ExampleImport }, Error, Chosen> =>
  useAction(dryRun ? [] : ['/v0/tasks'], (api, { file, mapping }: Chosen) =>
    api.POST('/v0/tasks/{id}/examples/import', {
      params: { path: { id: taskId } },
      body: { mapping: JSON.stringify(mapping), dryRun: dryRun ? 'true' : 'false', file },
      bodySerializer: (body) => formOf(body as Readonly<Record<string, unknown>>),
    }),
  );

function ImportFinished({ report, onClose }: { report: ExampleImport; onClose: () => void }): ReactNode {
  const { created, updated, unchanged, rejected, rejectedCount } = report;
  return (
    <FileReport title="Import finished" rejected={rejected} onClose={onClose}>
      <strong>{formatWhole(created)} added</strong>, {formatWhole(updated)} changed, {formatWhole(unchanged)}{' '}
      unchanged
      {rejectedCount > 0 && `; ${formatWhole(rejectedCount)} rejected`}.
    </FileReport>
  );
}
