import { type ReactNode, useState } from 'react';
import type { Issue, IssueEvent } from '../../api/generated/schema.ts';
import { useAction, useCall } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/status-line.tsx';
import { costBasis, modelProblem, priceOf } from './model-cost.ts';

type Share = NonNullable<IssueEvent['measured']>['found'];

/** Returns a share in words, with its interval. */
const shareText = ({ count, of, low, high }: Share): string =>
  low === null || high === null
    ? 'none'
    : `${formatWhole(count)} of ${formatWhole(of)} (95 % interval ${low.toFixed(0)} to ${high.toFixed(0)} %)`;

/** Returns the verdicts on the holdout in words. */
export const measuredText = ({ found, kept, unjudged }: NonNullable<IssueEvent['measured']>): string =>
  [
    `finds ${shareText(found)} of the sealed cases`,
    kept.of > 0 ? `passes ${shareText(kept)} of those that reviewers passed` : '',
    unjudged > 0 ? `${formatWhole(unjudged)} without a verdict` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');

/** Measures the evaluator of an issue on the holdout, the cost first. */
export function MeasureButton({ issue }: { issue: Pick<Issue, 'id' | 'number'> }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Measure …</Button>
      {isOpen && <MeasureDialog issue={issue} onClose={() => setOpen(false)} />}
    </>
  );
}

function MeasureDialog({
  issue: { id, number },
  onClose,
}: {
  issue: Pick<Issue, 'id' | 'number'>;
  onClose: () => void;
}): ReactNode {
  const path = { id: String(number) };
  const estimate = useCall('/v0/issues/{id}', { path: { id }, query: { measure: 'estimate' } }, (api) =>
    api.POST('/v0/issues/{id}/measure-evaluator', { params: { path }, body: { dryRun: true } }),
  );
  const measure = useAction(['/v0/issues'], (api) =>
    api.POST('/v0/issues/{id}/measure-evaluator', { params: { path }, body: {} }),
  );
  const dry = estimate.data?.data;
  const isByModel = dry?.expected.model !== null;
  const problem = dry && isByModel ? modelProblem(dry.expected) : null;
  const result = measure.data?.data;
  const measured = result?.measured ?? null;
  return (
    <AskDialog
      title="Measure on the holdout"
      action={
        measure.isPending
          ? 'Measuring …'
          : `${measured ? 'Measure again' : 'Measure'}${dry && isByModel ? ` (${priceOf(dry.expected)})` : ''}`
      }
      isBusy={!dry || dry.cases.shows === 0 || problem !== null || measure.isPending}
      error={measure.error ?? estimate.error}
      onConfirm={() =>
        measure.mutate(undefined, { onSuccess: () => announce('The evaluator was measured on the holdout') })
      }
      onClose={onClose}
    >
      {dry && (
        <p>
          {dry.cases.shows === 0
            ? 'No note of the issue is in the holdout yet. Each further note may be.'
            : `Judges ${formatWhole(dry.cases.shows)} sealed ${dry.cases.shows === 1 ? 'case' : 'cases'} of the issue and ${formatWhole(dry.cases.passed)} held-out responses that reviewers passed. Their texts are not shown.`}
        </p>
      )}
      {dry && isByModel && <p className="text-label text-dim">{problem ?? costBasis(dry.expected)}</p>}
      {measured && (
        <p role="status" className="rounded-md border border-line px-3 py-2">
          The evaluator {measuredText(measured)}.
        </p>
      )}
      {(result ?? dry) !== undefined && ((result ?? dry)?.measurements ?? 0) > 1 && (
        <p className="text-doubt">
          Measured {formatWhole((result ?? dry)?.measurements ?? 0)} times. Each criterion that was changed
          after a measurement makes the next result more optimistic.
        </p>
      )}
    </AskDialog>
  );
}
