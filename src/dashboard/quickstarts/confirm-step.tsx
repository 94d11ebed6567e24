import { type ReactNode, useState } from 'react';
import type { QuickstartStep } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { StartDialog } from '../tests/start-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { inTurn } from './in-turn.ts';
import type { StepProps } from './step-props.ts';
import { movesTo, STEPS } from './steps.ts';

/** Most tasks whose tests start at once. */
const MAX_TASKS = 100;

/** Says what becomes active, activates it, and starts the first tests. */
export function ConfirmStep({ quickstart, counts, isReadOnly }: StepProps): ReactNode {
  const { id, status, reason } = quickstart;
  const confirm = useAction(['/v0'], async (api) => {
    const confirmed = () => api.POST('/v0/quickstarts/confirm-style-scores', { body: { quickstartId: id } });
    const [first, ...others] = movesTo(status, 'style');
    if (first === undefined) return confirmed();
    const moved = await inTurn([first, ...others], (next) =>
      api.PUT('/v0/quickstarts/{id}', { params: { path: { id } }, body: { status: next } }),
    );
    return moved.error === undefined ? confirmed() : { error: moved.error, response: moved.response };
  });
  const left = counts.reduce((sum, { step, total, accepted, rejected }) => {
    return step === 'UPLOAD' ? sum : sum + total - accepted - rejected;
  }, 0);
  const isEmpty = counts.every(({ total }) => total === 0);
  return (
    <div className="grid max-w-[760px] grid-cols-1 gap-4 p-4">
      {status === 'FAILED' && (
        <div role="alert" className="rounded-md border border-fail px-3.5 py-3">
          <p className="font-semibold text-fail">✕ Failed in the last step, “Confirm and run”</p>
          <p className="mt-1">{reason}</p>
          <p className="mt-1 text-dim">
            What was activated before stays active. Correct the cause and confirm again.
          </p>
        </div>
      )}
      <Section title="What becomes active">
        <SmallTable
          label="Steps"
          heads={[
            ['Step'],
            ['Accepted', 'w-[90px]'],
            ['Rejected', 'w-[90px]'],
            ['Not reviewed', 'w-[100px]'],
          ]}
        >
          {STEPS.map(([step, title, counted]) => {
            const found = counts.find((one) => one.step === counted);
            return (
              found &&
              step !== 'upload' && (
                <StepRow key={step} href={`/quickstarts/${id}/${step}`} title={title} counts={found} />
              )
            );
          })}
        </SmallTable>
      </Section>
      {status === 'COMPLETE' ? (
        <FirstTests quickstartId={id} />
      ) : status === 'COMPLETING' ? (
        <p role="status">Activating …</p>
      ) : (
        <>
          <p className="text-dim">
            {isEmpty
              ? 'Nothing was uploaded yet, so nothing would become active.'
              : left === 0
                ? 'Everything was reviewed.'
                : `${formatWhole(left)} ${left === 1 ? 'item was' : 'items were'} not reviewed and will become active too.`}
          </p>
          <ErrorLine error={confirm.error} />
          {!isReadOnly && (
            <div>
              <Button
                look="primary"
                disabled={confirm.isPending || isEmpty || status === 'PROCESSING'}
                onClick={() => confirm.mutate(undefined)}
              >
                Confirm and activate
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}

interface StepRowProps {
  href: `/quickstarts/${string}`;
  title: string;
  counts: QuickstartStep;
}

const StepRow = ({ href, title, counts: { total, accepted, rejected } }: StepRowProps): ReactNode => (
  <tr className="border-t border-line">
    <td className="py-1.5">
      <AppLink href={href} className="text-accent underline">
        {title}
      </AppLink>
    </td>
    <td className="py-1.5 tabular-nums">{formatWhole(accepted)}</td>
    <td className="py-1.5 tabular-nums">{formatWhole(rejected)}</td>
    <td className="py-1.5 tabular-nums">{formatWhole(total - accepted - rejected)}</td>
  </tr>
);

function FirstTests({ quickstartId }: { quickstartId: string }): ReactNode {
  const mayWrite = useScope('write');
  const [isStarting, setStarting] = useState(false);
  const tasks = useApi('/v0/tasks', {
    query: { quickstartId: [quickstartId], taskStatus: ['ACTIVE'], limit: MAX_TASKS },
  });
  const rows = tasks.data?.data ?? [];
  const total = tasks.data?.pagination.total ?? 0;
  const examples = rows.reduce((sum, { exampleCount }) => sum + exampleCount, 0);
  return (
    <>
      <p role="status">
        <strong className="text-pass">✓ Everything is active.</strong> {formatWhole(total)}{' '}
        {total === 1 ? 'task has' : 'tasks have'} {formatWhole(examples)}{' '}
        {examples === 1 ? 'example' : 'examples'}
        {total > MAX_TASKS && `, counted for the first ${formatWhole(MAX_TASKS)} tasks`}.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {mayWrite && (
          <Button look="primary" disabled={examples === 0} onClick={() => setStarting(true)}>
            Run the tests …
          </Button>
        )}
        <AppLink href="/tasks" className="text-accent underline">
          Open the tasks
        </AppLink>
        <AppLink href="/evaluators" className="text-accent underline">
          Choose evaluators
        </AppLink>
      </div>
      {isStarting && (
        <StartDialog
          title="Run the tests"
          taskIds={rows.map(({ id }) => id)}
          suggested={1}
          takesAllExamples
          onClose={() => setStarting(false)}
        >
          Sends all {formatWhole(examples)} examples of {formatWhole(rows.length)}{' '}
          {rows.length === 1 ? 'task' : 'tasks'} to your app.
        </StartDialog>
      )}
    </>
  );
}
