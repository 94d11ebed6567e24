import { type ReactNode, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { Issue } from '../../api/generated/schema.ts';
import { useAction, useCall } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { costBasis, modelProblem, priceOf, spentText } from './model-cost.ts';
import { USUAL_GATE } from '../evaluators/usual-gate.ts';

interface DraftEvaluatorDialogProps {
  issue: Pick<Issue, 'id' | 'number' | 'title'>;
  onClose: () => void;
}

/** Fewest notes from which a model drafts. */
const MIN_NOTES = 6;

interface Drafted {
  name: string;
  criterion: string;
  /** True to judge the tests of all tasks. */
  isForAll: boolean;
}

/** Returns the calls that say what a draft costs, draft a criterion, and create the evaluator. */
function useDraftCalls(
  { id, number }: DraftEvaluatorDialogProps['issue'],
  { name, criterion, isForAll }: Drafted,
) {
  const path = { id: String(number) };
  const estimate = useCall('/v0/issues/{id}', { path: { id }, query: { draft: 'estimate' } }, (api) =>
    api.POST('/v0/issues/{id}/draft-evaluator', { params: { path }, body: { dryRun: true } }),
  );
  const draft = useAction([], (api) =>
    api.POST('/v0/issues/{id}/draft-evaluator', { params: { path }, body: {} }),
  );
  const create = useAction(['/v0/definitions', '/v0/issues'], async (api) => {
    const body = {
      type: 'CUSTOM',
      name: name.trim(),
      globalConfig: { criterion: criterion.trim() },
      issueId: id,
      gate: USUAL_GATE,
    } as const;
    const made = await answerOf(api.POST('/v0/definitions', { body }));
    if (isForAll)
      await answerOf(api.POST('/v0/definitions/link-application', { body: { evalIds: [made.data.id] } }));
    return api.PUT('/v0/issues/{id}', { params: { path }, body: { evalDefinitionId: made.data.id } });
  });
  return { estimate, draft, create };
}

/** Drafts an evaluator from the draft half of the notes of an issue, by a model or by hand, and creates it once a person agrees. */
export function DraftEvaluatorDialog({ issue, onClose }: DraftEvaluatorDialogProps): ReactNode {
  const { title } = issue;
  const [name, setName] = useState('');
  const [criterion, setCriterion] = useState('');
  const [isForAll, setForAll] = useState(true);
  const { estimate, draft, create } = useDraftCalls(issue, { name, criterion, isForAll });
  const dry = estimate.data?.data;
  const halves = dry?.halves;
  const isEnough = halves !== undefined && halves.draft > 0 && halves.draft + halves.holdout >= MIN_NOTES;
  const problem = dry ? modelProblem(dry.expected) : null;
  const found = draft.data?.data;
  return (
    <AskDialog
      title="Evaluator from the notes"
      action="Create evaluator"
      isWide
      isBusy={create.isPending || name.trim() === '' || criterion.trim() === ''}
      error={create.error}
      onConfirm={() =>
        create.mutate(undefined, {
          onSuccess: () => {
            announce(`Evaluator “${name.trim()}” created`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      {halves && (
        <p className="text-dim">
          {formatWhole(halves.draft)} of the {formatWhole(halves.draft + halves.holdout)} notes on “{title}”
          are the draft half. The other {formatWhole(halves.holdout)} are the holdout: neither this form nor
          the model sees them, and the evaluator is measured on them.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={!dry || problem !== null || !isEnough || draft.isPending}
          onClick={() =>
            draft.mutate(undefined, {
              onSuccess: ({ data }) => {
                if (data.draft === null) return;
                setName(data.draft.name);
                setCriterion(data.draft.criterion);
                announce('Criterion drafted');
              },
            })
          }
        >
          {draft.isPending
            ? 'Asking the model …'
            : `${found ? 'Draft again' : 'Draft by a model'}${dry && problem === null && isEnough ? ` (${priceOf(dry.expected)})` : ''}`}
        </Button>
        <span className="text-label text-dim">
          {dry &&
            (isEnough
              ? (problem ?? costBasis(dry.expected))
              : `A model drafts from ${MIN_NOTES} notes or more. You can write the criterion yourself.`)}
        </span>
      </div>
      <ErrorLine error={draft.error ?? estimate.error} />
      {found?.draft && (
        <p className="text-dim">
          {found.draft.rationale} {spentText(found.spent)}
        </p>
      )}
      <TextField
        label="Name"
        required
        maxLength={256}
        problem={problemOf(create.error, 'name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextArea
        label="Criterion"
        help="What a response without the problem meets. The judge model reads it."
        required
        rows={6}
        maxLength={10_000}
        problem={problemOf(create.error, 'globalConfig.criterion')}
        value={criterion}
        onChange={({ target }) => setCriterion(target.value)}
      />
      <CheckField checked={isForAll} onChange={setForAll}>
        Judge the tests of all tasks
      </CheckField>
      <p className="text-label text-dim">
        It is not blocking until reviewers have verified it: agreement κ of at least {USUAL_GATE.minKappa} on
        a random sample.
      </p>
    </AskDialog>
  );
}
