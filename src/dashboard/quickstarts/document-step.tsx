import { type ReactNode, useState } from 'react';
import type { ListedDocument } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { useAllRows } from '../api/use-all-rows.ts';
import { AppLink } from '../app/url.tsx';
import { useTopicTitles } from '../topics/use-topics.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Loaded } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { inTurn } from './in-turn.ts';
import type { StepProps } from './step-props.ts';
import { ReviewFrame, type ReviewItem } from './review-frame.tsx';

/** Most documents that are reviewed; the others become active with the quickstart. */
const MAX_DOCUMENTS = 1_000;

/** Reviews the documents that were made of files with knowledge. */
export function DocumentStep(props: StepProps): ReactNode {
  const topics = useTopicTitles();
  const documents = useAllRows('/v0/documents', documentsOf(props.quickstart.id, 'KNOWLEDGE'), MAX_DOCUMENTS);
  const [rejecting, setRejecting] = useState<(ReviewItem & { onDone: () => void }) | null>(null);
  const { accept, remove } = useDocumentActions();
  return (
    <Loaded of={documents} isFlush isFull>
      {({ data }) => (
        <>
          <ReviewFrame
            {...props}
            step="knowledge"
            items={data.map((document) => documentItem(document, topics.get(document.topicId ?? '')))}
            empty={<p>No file with knowledge was read. Documents help judges to check facts.</p>}
            isBusy={accept.isPending || remove.isPending}
            error={accept.error}
            accept={({ id }, onDone) => accept.mutate([id], { onSuccess: onDone })}
            acceptRest={([first, ...others]) =>
              first && accept.mutate([first.id, ...others.map(({ id }) => id)])
            }
            reject={(item, onDone) => setRejecting({ ...item, onDone })}
          >
            {({ id }) => <DocumentDetail id={id} />}
          </ReviewFrame>
          <RejectDocument rejecting={rejecting} remove={remove} onClose={() => setRejecting(null)} />
        </>
      )}
    </Loaded>
  );
}

/** Returns the query for the documents of one type that a quickstart made, in their order. */
export const documentsOf = (quickstartId: string, type: 'KNOWLEDGE' | 'POLICY') => ({
  quickstartId: [quickstartId],
  type: [type],
  orderBy: 'title' as const,
  orderDir: 'asc' as const,
});

export const documentItem = (
  { id, title, isVerified, status }: ListedDocument,
  topic: string | undefined,
): ReviewItem => ({
  id,
  title,
  detail: topic ?? 'No topic',
  state: isVerified || status === 'ACTIVE' ? 'accepted' : 'open',
});

/** Returns what can be decided about documents. */
export function useDocumentActions() {
  const changed = ['/v0/documents', '/v0/quickstarts'] as const;
  const accept = useAction(changed, (api, ids: [string, ...string[]]) =>
    inTurn(ids, (id) =>
      api.PUT('/v0/documents/{id}', { params: { path: { id } }, body: { isVerified: true } }),
    ),
  );
  const remove = useAction(changed, (api, id: string) =>
    api.DELETE('/v0/documents/{id}', { params: { path: { id } } }),
  );
  return { accept, remove };
}

interface RejectDocumentProps {
  rejecting: (ReviewItem & { onDone: () => void }) | null;
  remove: ReturnType<typeof useDocumentActions>['remove'];
  onClose: () => void;
}

/** Asks before a document is deleted, because a document cannot be archived. */
export const RejectDocument = ({ rejecting, remove, onClose }: RejectDocumentProps): ReactNode => (
  <Confirm
    isOpen={rejecting !== null}
    title={`Reject “${rejecting?.title ?? ''}”?`}
    action="Delete the document"
    isBusy={remove.isPending}
    error={remove.error}
    onConfirm={() =>
      rejecting &&
      remove.mutate(rejecting.id, {
        onSuccess: () => {
          announce('Document deleted');
          rejecting.onDone();
          onClose();
        },
      })
    }
    onClose={onClose}
  >
    The document is deleted. Upload the file again to get it back.
  </Confirm>
);

export function DocumentDetail({ id }: { id: string }): ReactNode {
  const document = useApi('/v0/documents/{id}', { path: { id } });
  return (
    <Loaded of={document}>
      {({ document: { title, content } }) => (
        <article className="grid max-w-[760px] grid-cols-1 gap-3">
          <h2 className="text-title font-semibold wrap-anywhere">{title}</h2>
          <p className="whitespace-pre-wrap wrap-anywhere">{content}</p>
          <p>
            <AppLink href={`/documents/${id}`} className="text-accent underline">
              Edit the document
            </AppLink>
          </p>
        </article>
      )}
    </Loaded>
  );
}
