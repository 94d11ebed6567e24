import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { QuickstartUpload, QuickstartUploadReport } from '../../api/generated/schema.ts';
import { formOf } from '../api/form.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatBytes, formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/panel.tsx';
import { RejectedRows } from '../ui/rejected-rows.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { SmallTable } from '../ui/small-table.tsx';
import { announce } from '../ui/status-line.tsx';
import { type FileKind, FILE_KINDS, type Preview, PREVIEW_BYTES, previewOf } from './csv-preview.ts';
import type { StepProps } from './step-props.ts';
import { useMove } from './use-move.ts';

/** Largest file that the server reads in one request. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Takes the files, shows what their columns become, and which lines were rejected. */
export function UploadStep({ quickstart, isReadOnly }: StepProps): ReactNode {
  const move = useMove(quickstart, isReadOnly);
  const isReading = quickstart.status === 'PROCESSING';
  const hasRead = quickstart.uploads.some(({ status }) => status === 'COMPLETED');
  return (
    <div className="grid max-w-[920px] grid-cols-1 gap-5 p-4">
      {!isReadOnly && <UploadForm quickstartId={quickstart.id} />}
      {quickstart.uploads.length > 0 && (
        <Section title="Files" className="grid gap-2">
          {quickstart.uploads.map((upload) => (
            <UploadedFile key={upload.id} upload={upload} />
          ))}
        </Section>
      )}
      <ErrorLine error={move.error} />
      {hasRead && (
        <div>
          <Button look="primary" disabled={isReading || move.isPending} onClick={() => move.to('tasks')}>
            {isReading ? 'Reading the files …' : 'Review topics and tasks'}
          </Button>
        </div>
      )}
    </div>
  );
}

interface Chosen {
  file: File;
  beginning: string;
}

function UploadForm({ quickstartId }: { quickstartId: string }): ReactNode {
  const [kind, setKind] = useState<FileKind>('conversations');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const upload = useAction(['/v0/quickstarts', '/v1/quickstarts'], (api, file: File) =>
    api.POST('/v1/quickstarts/uploads', {
      body: { quickstartId, materialType: kind, file },
      bodySerializer: (body) => formOf(body as Readonly<Record<string, unknown>>),
    }),
  );
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    upload.reset();
    setChosen({ file, beginning: await file.slice(0, PREVIEW_BYTES).text() });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void choose(event.dataTransfer.files[0]);
  };
  const preview = chosen && previewOf(chosen.beginning, kind);
  const problem = chosen && problemOfFile(chosen.file, preview);
  const send = (): void => {
    if (chosen === null || problem !== null) return;
    upload.mutate(chosen.file, {
      onSuccess: ({ data }) => {
        announce(`“${data.fileName}” was uploaded`);
        setChosen(null);
        if (input.current) input.current.value = '';
      },
    });
  };
  return (
    <Form className="grid grid-cols-1 gap-3" onSubmit={send}>
      <SelectField
        label="What is in the file"
        choices={FILE_KINDS}
        value={kind}
        onChange={({ target }) => setKind(target.value as FileKind)}
      />
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'rounded-md border border-dashed p-4',
          isOver ? 'border-accent bg-selection' : 'border-edge',
        )}
      >
        <TextField
          ref={input}
          label="Choose a CSV file, or drop it here"
          type="file"
          accept=".csv,text/csv"
          className="py-[3px]"
          help={chosen ? `${chosen.file.name}, ${formatBytes(chosen.file.size)}` : HELP[kind]}
          problem={problem ?? undefined}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      </div>
      {preview && <ColumnTable preview={preview} />}
      <ErrorLine error={upload.error} />
      <div>
        <Button
          type="submit"
          look="primary"
          disabled={chosen === null || problem !== null || upload.isPending}
        >
          {upload.isPending ? 'Uploading …' : 'Upload'}
        </Button>
      </div>
    </Form>
  );
}

const HELP: Readonly<Record<FileKind, string>> = {
  conversations:
    'The columns input and output, and optionally topic, task and conversation_id; or conversation_id, role and content. At most 32 MiB.',
  knowledge_base: 'The columns title and content, and optionally topic. At most 32 MiB.',
  policy: 'The columns title and content, and optionally topic and criterion. At most 32 MiB.',
};

function problemOfFile(file: File, preview: Preview | null): string | null {
  if (file.size > MAX_BYTES) return 'must be at most 32 MiB';
  if (!file.name.toLowerCase().endsWith('.csv')) return 'must be a CSV file with a name that ends in .csv';
  return preview?.problem ?? null;
}

const ColumnTable = ({ preview: { columns } }: { preview: Preview }): ReactNode => (
  <div tabIndex={0} role="region" aria-label="Preview of the file" className="overflow-x-auto">
    <SmallTable label="Columns" heads={[['Column', 'w-[160px]'], ['Becomes', 'w-[240px]'], ['First rows']]}>
      {columns.map(({ name, becomes, values }, at) => (
        <tr key={at} className="border-t border-line align-top">
          <td className="py-1 pr-3 font-mono text-label">{name}</td>
          <td className="py-1 pr-3">{becomes ?? <span className="text-dim">not used</span>}</td>
          <td className="py-1">
            {values.map((value, row) => (
              <p key={row} className="line-clamp-1 break-all text-dim">
                {value}
              </p>
            ))}
          </td>
        </tr>
      ))}
    </SmallTable>
  </div>
);

function UploadedFile({ upload }: { upload: QuickstartUpload }): ReactNode {
  const { id, fileName, fileSize, status, materialType, errorMessage } = upload;
  const found = useApi('/v1/quickstarts/uploads/{id}', { path: { id } }, { version: status });
  const report = found.data?.data.report;
  return (
    <div className="grid grid-cols-1 gap-1.5 rounded-md border border-line p-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="min-w-0 break-all">{fileName}</strong>
        <span className="text-dim">
          {FILE_KINDS.find(([one]) => one === materialType)?.[1]}, {formatBytes(fileSize)}
        </span>
        {status === 'FAILED' ? (
          <Badge tone="fail">✕ Failed</Badge>
        ) : (
          <Badge tone={status === 'COMPLETED' ? 'pass' : 'plain'}>
            {status === 'COMPLETED' ? '✓ Read' : 'Reading …'}
          </Badge>
        )}
      </p>
      {errorMessage !== undefined && (
        <p role="alert" className="text-fail">
          {errorMessage}
        </p>
      )}
      {report && report.rows > 0 && <p>{createdText(report)}</p>}
      {report && report.rejectedCount > 0 && (
        <>
          <p className="flex flex-wrap items-center gap-2 text-fail">
            {formatWhole(report.rejectedCount)} {report.rejectedCount === 1 ? 'line was' : 'lines were'}{' '}
            rejected.
            <Button onClick={() => saveBlob(rejectedLines(report.rejected), `rejected-${fileName}`)}>
              Download the list
            </Button>
          </p>
          <RejectedRows rows={report.rejected} />
        </>
      )}
      {(report?.unusedColumns?.length ?? 0) > 0 && (
        <p className="text-dim">Columns that were not used: {report?.unusedColumns?.join(', ')}</p>
      )}
    </div>
  );
}

type Report = QuickstartUploadReport;

const NOUNS: Readonly<Record<keyof Report['created'], string>> = {
  conversations: 'conversation',
  topics: 'topic',
  tasks: 'task',
  inputExamples: 'example',
  documents: 'document',
  definitions: 'evaluator',
};

/** Returns what was made of a file, such as `120 rows: 4 topics, 31 tasks`. */
function createdText({ rows, created }: Report): string {
  const made = (Object.keys(NOUNS) as (keyof Report['created'])[])
    .filter((kind) => created[kind] > 0)
    .map((kind) => `${formatWhole(created[kind])} ${NOUNS[kind]}${created[kind] === 1 ? '' : 's'}`);
  return `${formatWhole(rows)} ${rows === 1 ? 'row' : 'rows'}: ${made.length === 0 ? 'nothing new' : made.join(', ')}.`;
}

const rejectedLines = (rejected: Report['rejected']): Blob =>
  new Blob(
    ['line,why\n', ...rejected.map(({ line, error }) => `${line},"${error.replaceAll('"', '""')}"\n`)],
    { type: 'text/csv' },
  );
