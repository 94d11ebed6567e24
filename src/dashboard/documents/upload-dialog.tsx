import { type ReactNode, useState } from 'react';
import type { DocumentUploadReport } from '../../api/generated/schema.ts';
import { formOf } from '../api/form.ts';
import { useAction } from '../api/use-api.ts';
import { formatBytes, formatWhole } from '../format/number.ts';
import { FileReport } from '../ui/file-report.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, TextField } from '../ui/field.tsx';
import { NO_PLACE, placeBody, PlaceFields } from './place-fields.tsx';

/** Creates documents from a file, and reports which rows were rejected. */
export function UploadDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [place, setPlace] = useState(NO_PLACE);
  const [file, setFile] = useState<File | null>(null);
  const upload = useAction(['/v0/documents'], (api, chosen: File) =>
    api.POST('/v0/documents/upload', {
      body: { ...placeBody(place), file: chosen },
      bodySerializer: formOf,
    }),
  );
  if (upload.data) return <UploadReport report={upload.data.data} onClose={onClose} />;
  return (
    <AskDialog
      title="Upload a file"
      action={upload.isPending ? 'Uploading …' : 'Upload'}
      isWide
      isBusy={upload.isPending || file === null}
      error={upload.error}
      onConfirm={() => file && upload.mutate(file)}
      onClose={onClose}
    >
      <p className="text-dim">
        A text or Markdown file becomes one document. A CSV file becomes one for each row: its header names
        the columns title and content.
      </p>
      <TextField
        label="File"
        type="file"
        accept=".csv,.txt,.md,.markdown"
        required
        className="py-[3px]"
        help={file ? formatBytes(file.size) : 'UTF-8, at most 32 MiB.'}
        problem={problemOf(upload.error, 'file')}
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
      />
      <PlaceFields value={place} onChange={(patch) => setPlace({ ...place, ...patch })} />
    </AskDialog>
  );
}

function UploadReport({
  report: { created, rejected, rejectedCount },
  onClose,
}: {
  report: DocumentUploadReport;
  onClose: () => void;
}): ReactNode {
  return (
    <FileReport title="Upload finished" rejected={rejected} onClose={onClose}>
      <strong>
        {formatWhole(created)} {created === 1 ? 'document was' : 'documents were'} created
      </strong>
      {rejectedCount > 0 && `; ${formatWhole(rejectedCount)} rows were rejected`}.
    </FileReport>
  );
}
