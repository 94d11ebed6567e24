import type { ReactNode } from 'react';
import type { Document, UpdateDocumentBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useRemoval } from '../api/use-api.ts';
import { AppLink, useOpen } from '../app/url.tsx';
import { TopicSelect } from '../topics/topic-select.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { DeleteRecord } from '../ui/delete-record.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { RecordForm } from '../ui/form.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf } from '../ui/use-draft.ts';
import { useRecordDraft } from '../ui/use-record-draft.ts';
import { DOCUMENT_STATUSES } from './words.tsx';

/** Shows and changes what a document is for, and where it comes from. */
export const DocumentSettings = ({ document }: { document: Document }): ReactNode => (
  <div className="grid max-w-[680px] gap-6 p-4">
    <DocumentForm key={document.id} document={document} />
    <DeleteDocument document={document} />
  </div>
);

function DocumentForm({ document }: { document: Document }): ReactNode {
  const mayWrite = useScope('write');
  const { id, status, topicId, assignee, isVerified, scrapeJob } = document;
  const draft = useRecordDraft(
    { status, topicId: topicId ?? '', assignee: assignee ?? '', isVerified },
    document.modifiedAt,
  );
  const { values, changed } = draft;
  const save = useAction(
    ['/v0/documents'],
    (api, body: UpdateDocumentBody) =>
      api.PUT('/v0/documents/{id}', { params: { path: { id }, header: draft.ifMatch }, body }),
    () => announce('Document saved'),
  );
  const field = fieldsOf(draft, save.error, !mayWrite);
  const submit = (): void =>
    save.mutate({
      ...changed,
      ...(changed.topicId !== undefined && { topicId: changed.topicId || null }),
      ...(changed.assignee !== undefined && { assignee: changed.assignee.trim() || null }),
    });
  return (
    <RecordForm id={id} draft={draft} save={save} mayWrite={mayWrite} onSave={submit}>
      <div className="grid grid-cols-2 items-start gap-4">
        <SelectField
          label="Status"
          help="Active documents are divided into chunks; they need an approved version."
          choices={Object.entries(DOCUMENT_STATUSES)}
          {...field('status')}
        />
        <TopicSelect {...field('topicId')} />
        <TextField label="Assigned to" help="Who checks it." maxLength={256} {...field('assignee')} />
      </div>
      <CheckField
        disabled={!mayWrite}
        checked={values.isVerified}
        onChange={(isOn) => draft.change({ isVerified: isOn })}
      >
        A person has verified this document
      </CheckField>
      {scrapeJob && (
        <p className="text-dim">
          It was created from a web site by the scrape job{' '}
          <AppLink href={`/documents?tab=scrape&job=${scrapeJob.id}`} className="text-accent underline">
            {scrapeJob.name}
          </AppLink>
          .
        </p>
      )}
    </RecordForm>
  );
}

function DeleteDocument({ document }: { document: Document }): ReactNode {
  const mayWrite = useScope('write');
  const open = useOpen();
  const remove = useRemoval(['/v0/documents'], (api, id: string) =>
    api.DELETE('/v0/documents/{id}', { params: { path: { id } } }),
  );
  if (!mayWrite) return null;
  const leave = (): void => {
    announce('Document deleted');
    open('/documents');
  };
  return (
    <DeleteRecord verb="Delete" what="document" record={document} remove={remove} onDone={leave}>
      All its versions and chunks are deleted too. This cannot be undone.
    </DeleteRecord>
  );
}
