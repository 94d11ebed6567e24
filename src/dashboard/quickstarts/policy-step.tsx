import { type ReactNode, useState } from 'react';
import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useAllRows } from '../api/use-all-rows.ts';
import { AppLink } from '../app/url.tsx';
import { useTopicTitles } from '../topics/use-topics.ts';
import { Loaded } from '../ui/panel.tsx';
import {
  DocumentDetail,
  documentItem,
  documentsOf,
  RejectDocument,
  useDocumentActions,
} from './document-step.tsx';
import { inTurn } from './in-turn.ts';
import type { StepProps } from './step-props.ts';
import { ReviewFrame, type ReviewItem } from './review-frame.tsx';

/** Most policies, and most evaluators, that are reviewed; the others become active with the quickstart. */
const MAX_POLICIES = 1_000;

interface PolicyItem extends ReviewItem {
  /** Evaluator that was made of the criterion of a policy; undefined for the text of a policy. */
  evaluator: EvaluationDefinition | undefined;
}

/** Reviews the policies, and the evaluators that were made of their criteria. */
export function PolicyStep(props: StepProps): ReactNode {
  const { id } = props.quickstart;
  const topics = useTopicTitles();
  const policies = useAllRows('/v0/documents', documentsOf(id, 'POLICY'), MAX_POLICIES);
  const evaluators = useAllRows(
    '/v0/definitions',
    {
      quickstartId: [id],
      definitionStatus: ['DRAFT', 'ACTIVE', 'ARCHIVED'],
      orderBy: 'createdAt',
      orderDir: 'asc',
    },
    MAX_POLICIES,
  );
  const [rejecting, setRejecting] = useState<(ReviewItem & { onDone: () => void }) | null>(null);
  const documents = useDocumentActions();
  const save = useAction(['/v0/definitions', '/v0/quickstarts'], (api, changes: [Change, ...Change[]]) =>
    inTurn(changes, ({ id: definitionId, status }) =>
      api.PUT('/v0/definitions/{id}', { params: { path: { id: definitionId } }, body: { status } }),
    ),
  );
  const acceptAll = (items: readonly PolicyItem[], onDone?: () => void): void => {
    const isEvaluator = ({ evaluator }: PolicyItem): boolean => evaluator !== undefined;
    const [policy, ...others] = items.filter((item) => !isEvaluator(item)).map((item) => item.id);
    const [change, ...more] = items
      .filter(isEvaluator)
      .map((item): Change => ({ id: item.id, status: 'ACTIVE' }));
    const options = onDone ? { onSuccess: onDone } : {};
    if (policy !== undefined) documents.accept.mutate([policy, ...others], change ? {} : options);
    if (change) save.mutate([change, ...more], options);
  };
  return (
    <Loaded of={evaluators} isFlush isFull>
      {({ data: definitions }) => (
        <Loaded of={policies} isFlush isFull>
          {({ data }) => (
            <>
              <ReviewFrame
                {...props}
                step="policies"
                items={[
                  ...data.map((document) => ({
                    ...documentItem(document, topics.get(document.topicId ?? '') ?? 'Policy'),
                    evaluator: undefined,
                  })),
                  ...definitions.map(evaluatorItem),
                ]}
                empty={
                  <p>
                    No file with policies was read. The column criterion of such a file makes an evaluator of
                    a policy.
                  </p>
                }
                isBusy={documents.accept.isPending || documents.remove.isPending || save.isPending}
                error={documents.accept.error ?? save.error}
                accept={(item, onDone) => acceptAll([item], onDone)}
                acceptRest={acceptAll}
                reject={(item, onDone) =>
                  item.evaluator
                    ? save.mutate([{ id: item.id, status: 'ARCHIVED' }], { onSuccess: onDone })
                    : setRejecting({ ...item, onDone })
                }
              >
                {(item) =>
                  item.evaluator ? <EvaluatorDetail of={item.evaluator} /> : <DocumentDetail id={item.id} />
                }
              </ReviewFrame>
              <RejectDocument
                rejecting={rejecting}
                remove={documents.remove}
                onClose={() => setRejecting(null)}
              />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface Change {
  id: string;
  status: EvaluationDefinition['status'];
}

const evaluatorItem = (evaluator: EvaluationDefinition): PolicyItem => ({
  id: evaluator.id,
  title: evaluator.name,
  detail: 'Evaluator',
  state: evaluator.status === 'ARCHIVED' ? 'rejected' : evaluator.status === 'ACTIVE' ? 'accepted' : 'open',
  evaluator,
});

const EvaluatorDetail = ({ of: { id, name, globalConfig } }: { of: EvaluationDefinition }): ReactNode => (
  <article className="grid max-w-[760px] grid-cols-1 gap-3">
    <h2 className="text-title font-semibold wrap-anywhere">{name}</h2>
    <p className="text-dim">A judge will check every response against this criterion:</p>
    <p className="whitespace-pre-wrap wrap-anywhere">{criterionOf(globalConfig)}</p>
    <p>
      <AppLink href={`/evaluators/${id}?tab=settings`} className="text-accent underline">
        Edit the evaluator
      </AppLink>
    </p>
  </article>
);

function criterionOf(config: EvaluationDefinition['globalConfig']): string {
  const criterion = config?.['criterion'];
  return typeof criterion === 'string' ? criterion : '';
}
