import type { ReactNode } from 'react';
import type { Quickstart, QuickstartStep } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { DocumentStep } from './document-step.tsx';
import { PolicyStep } from './policy-step.tsx';
import type { StepProps } from './step-props.ts';
import { isConfirmed, progressOf, type StepId, STEPS } from './steps.ts';
import { StyleStep } from './style-step.tsx';
import { TaskStep } from './task-step.tsx';
import { UploadStep } from './upload-step.tsx';

/** Milliseconds between two looks while the server works. */
const REFRESH_MS = 1_000;

/** Leads through one quickstart, a step on each address. Every decision is saved when it is made. */
export function QuickstartPage(): ReactNode {
  const id = usePathParam('quickstartId');
  const named = usePathParam('step');
  const step = STEPS.find(([one]) => one === named)?.[0] ?? 'upload';
  const mayWrite = useScope('write');
  const quickstart = useApi(
    '/v0/quickstarts/{id}',
    { path: { id } },
    { refresh: (found) => (isBusy(found?.data) ? REFRESH_MS : false) },
  );
  const steps = useApi(
    '/v0/quickstarts/{id}/steps',
    { path: { id } },
    {
      refresh: () => (isBusy(quickstart.data?.data) ? REFRESH_MS : false),
      version: quickstart.data?.data.status,
    },
  );
  return (
    <Loaded of={quickstart} isFlush isFull>
      {({ data }) => {
        const counts = steps.data?.data ?? [];
        const props = { quickstart: data, counts, isReadOnly: !mayWrite || isConfirmed(data.status) };
        const [file] = data.uploads;
        return (
          <Page
            title={data.name}
            back="/quickstarts"
            facts={
              <>
                {file && <Badge>{file.fileName}</Badge>}
                <span className="text-dim max-[719px]:hidden">
                  {data.status === 'COMPLETE' ? 'active' : 'saved, continue any time'}
                </span>
              </>
            }
            actions={
              <AppLink href="/quickstarts" className="text-accent underline">
                Leave
              </AppLink>
            }
            bar={<StepBar id={id} current={step} counts={counts} quickstart={data} />}
          >
            <Step step={step} {...props} />
          </Page>
        );
      }}
    </Loaded>
  );
}

const isBusy = (quickstart: Quickstart | undefined): boolean =>
  quickstart?.status === 'PROCESSING' || quickstart?.status === 'COMPLETING';

function Step({ step, ...props }: StepProps & { step: StepId }): ReactNode {
  if (step === 'upload') return <UploadStep {...props} />;
  if (step === 'tasks') return <TaskStep {...props} />;
  if (step === 'knowledge') return <DocumentStep {...props} />;
  if (step === 'policies') return <PolicyStep {...props} />;
  if (step === 'style') return <StyleStep {...props} />;
  return <ConfirmStep {...props} />;
}

interface StepBarProps {
  id: string;
  current: StepId;
  counts: readonly QuickstartStep[];
  quickstart: Quickstart;
}

/** Shows all steps with their progress; each is a link, so that one can look ahead and come back. */
const StepBar = ({ id, current, counts, quickstart }: StepBarProps): ReactNode => (
  <nav aria-label="Steps" className="overflow-x-auto">
    <ol className="flex gap-5 whitespace-nowrap">
      {STEPS.map(([step, title, counted], at) => {
        const found = counts.find((one) => one.step === counted);
        const isDone =
          step === 'confirm'
            ? quickstart.status === 'COMPLETE'
            : found !== undefined && found.total > 0 && found.accepted + found.rejected === found.total;
        const progress = step === 'upload' ? filesOf(quickstart) : progressOf(found);
        return (
          <li key={step}>
            <AppLink
              href={`/quickstarts/${id}/${step}`}
              aria-current={step === current ? 'step' : undefined}
              className={classNames(
                'flex items-center gap-1.5 no-underline hover:text-ink',
                step === current ? 'font-semibold text-accent' : 'text-dim',
              )}
            >
              <span
                aria-hidden="true"
                className={classNames(
                  'grid size-[19px] place-items-center rounded-full border text-label',
                  isDone ? 'border-pass text-pass' : 'border-current',
                )}
              >
                {isDone ? '✓' : at + 1}
              </span>
              {isDone && <span className="sr-only">Done:</span>}
              {title}
              {progress !== null && `, ${progress}`}
            </AppLink>
          </li>
        );
      })}
    </ol>
  </nav>
);

const filesOf = ({ uploads: { length } }: Quickstart): string | null =>
  length === 0 ? null : length === 1 ? '1 file' : `${formatWhole(length)} files`;
