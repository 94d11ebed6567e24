import { type ReactNode, useState } from 'react';
import type { DocumentVersion, UpdateDocumentVersionBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { useVersion } from './use-version.ts';
import { VersionDialog } from './version-dialog.tsx';

/** Buttons that move a version on its way to approval, and that make the next one. */
export function VersionActions({ documentId, number }: { documentId: string; number: number }): ReactNode {
  const mayWrite = useScope('write');
  const version = useVersion(documentId, number).data?.data;
  const [asked, setAsked] = useState<'edit' | 'new' | null>(null);
  const save = useAction(['/v0/documents'], (api, body: UpdateDocumentVersionBody) =>
    api.PUT('/v0/documents/{id}/versions/{n}', { params: { path: { id: documentId, n: number } }, body }),
  );
  if (!mayWrite) return <span className="text-label text-dim">{READ_ONLY}</span>;
  if (version === undefined) return null;
  const move = (status: DocumentVersion['status'], done: string) => () =>
    save.mutate({ status }, { onSuccess: () => announce(`Version ${number} ${done}`) });
  return (
    <>
      <ErrorLine error={asked === null ? save.error : null} />
      {version.status === 'DRAFT' && (
        <>
          <Button onClick={() => setAsked('edit')}>Edit</Button>
          <Button look="primary" disabled={save.isPending} onClick={move('REVIEW', 'is in review')}>
            Send to review
          </Button>
        </>
      )}
      {version.status === 'REVIEW' && (
        <>
          <Button disabled={save.isPending} onClick={move('DRAFT', 'is a draft again')}>
            Back to draft
          </Button>
          <Button look="primary" disabled={save.isPending} onClick={move('APPROVED', 'is approved')}>
            Approve
          </Button>
        </>
      )}
      <Button onClick={() => setAsked('new')}>New version</Button>
      {asked !== null && (
        <EditVersion
          key={asked}
          documentId={documentId}
          version={version}
          isNew={asked === 'new'}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface EditVersionProps {
  documentId: string;
  version: DocumentVersion;
  isNew: boolean;
  onClose: () => void;
}

function EditVersion({ documentId, version, isNew, onClose }: EditVersionProps): ReactNode {
  const open = useOpen();
  const { versionNumber: n } = version;
  const save = useAction(
    ['/v0/documents'],
    (api, body: { title: string; content: string; language: string }) =>
      isNew
        ? api.POST('/v0/documents/{id}/versions', { params: { path: { id: documentId } }, body })
        : api.PUT('/v0/documents/{id}/versions/{n}', { params: { path: { id: documentId, n } }, body }),
    // Before the versions are loaded again: a newer one takes the place of this dialog.
    ({ data }) => {
      announce(`Version ${data.versionNumber} saved`);
      onClose();
      if (isNew) open(`/documents/${documentId}?to=${data.versionNumber}&from=${n}`);
    },
  );
  return (
    <VersionDialog
      heading={isNew ? 'New version' : `Version ${n}`}
      version={version}
      isSaving={save.isPending}
      error={save.error}
      onClose={onClose}
      onSave={(fields) => save.mutate(fields)}
    />
  );
}
