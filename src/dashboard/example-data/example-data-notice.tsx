import type { ReactNode } from 'react';
import type { ExampleData } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { AppLink } from '../app/url.tsx';
import { Bar } from '../ui/bar.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { useExampleData } from './use-example-data.ts';

const PARTS: Readonly<Record<NonNullable<ExampleData['step']>, string>> = {
  definitions: 'Evaluators and tasks',
  traces: '300 traces of the last seven days',
  tests: 'Tests, and their verdicts',
  experiment: 'An experiment with three variants',
  annotations: 'A queue for people',
};

/** Offers example data to an application without data of its own; else says that its data is, or becomes, an example. */
export function ExampleDataNotice({ isEmpty }: { isEmpty: boolean }): ReactNode {
  const isAdmin = useScope('admin');
  const { state, load } = useExampleData();
  if (!state) return null;
  if (state.status === 'LOADING') return <Progress {...state} />;
  if (state.status === 'NONE') return isEmpty && isAdmin ? <Offer load={load} /> : null;
  return (
    <p role="status" className={state.status === 'FAILED' ? 'text-fail' : 'text-dim'}>
      {SENTENCES[state.status]} {state.failure}{' '}
      {state.status !== 'REMOVING' && (
        <AppLink href="/settings" className="text-accent underline">
          Remove it in Settings
        </AppLink>
      )}
    </p>
  );
}

const SENTENCES = {
  READY: 'This application shows example data.',
  REMOVING: 'The example data is being removed.',
  FAILED: 'The example data is not complete.',
} as const;

const Offer = ({ load }: Pick<ReturnType<typeof useExampleData>, 'load'>): ReactNode => (
  <div className="grid gap-2 rounded-md border border-line bg-panel p-3.5 text-reading">
    <p className="text-dim">
      Or look around first: example data shows a support bot of a web shop, with 300 traces, tests, an
      experiment and a queue for people. No judge model is called. You can remove it at any time.
    </p>
    <div>
      <Button disabled={load.isPending} onClick={() => load.mutate(undefined)}>
        Load example data
      </Button>
    </div>
    <ErrorLine error={load.error} />
  </div>
);

/** Says which part is being made. */
function Progress({ step, stepsDone, steps }: ExampleData): ReactNode {
  return (
    <div role="status" className="grid gap-2 rounded-md border border-line bg-panel p-3.5 text-reading">
      <p>
        Loading example data, part {Math.min(stepsDone + 1, steps)} of {steps}
        {step === null ? '' : `: ${PARTS[step]}`}
      </p>
      <Bar share={stepsDone / steps} />
      <p className="text-dim">This takes about half a minute. You can open other screens.</p>
    </div>
  );
}
