import { EvaluatorRates } from '../evaluators/evaluator-rates.tsx';
import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { formatPercent } from '../format/number.ts';
import { Section } from '../ui/panel.tsx';

/** Shows what each evaluator found in the tests of a run. */
export function RunResults({ run }: { run: Run }): ReactNode {
  const { evals, repeats } = run;
  return (
    <Section title="Results by evaluator">
      {evals.length === 0 ? (
        <p className="py-1 text-dim">No verdicts yet.</p>
      ) : (
        <EvaluatorRates label="Results by evaluator" rates={evals} />
      )}
      {repeats && <Repeats repeats={repeats} />}
    </Section>
  );
}

const Repeats = ({
  repeats: { groups, k, passPowK, passAtK, flakiness },
}: {
  repeats: NonNullable<Run['repeats']>;
}): ReactNode => (
  <p className="mt-2 text-dim">
    {groups} input {groups === 1 ? 'example was' : 'examples were'} tested {k} times or more. All of {k} tests
    pass with a chance of {formatPercent(passPowK / 100)}, at least one with {formatPercent(passAtK / 100)};{' '}
    {formatPercent(flakiness / 100)} of the examples gave different results.
  </p>
);
