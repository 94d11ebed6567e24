import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';
import { Section } from '../ui/panel.tsx';

const HEAD = 'h-[28px] border-b border-line text-label font-normal text-dim';
const CELL = 'h-[30px] border-b border-line';

/** Shows what each evaluator found in the tests of a run. */
export function RunResults({ run }: { run: Run }): ReactNode {
  const { evals, repeats } = run;
  return (
    <Section title="Results by evaluator">
      {evals.length === 0 ? (
        <p className="py-1 text-dim">No verdicts yet.</p>
      ) : (
        <table aria-label="Results by evaluator" className="w-full">
          <thead>
            <tr>
              <th scope="col" className={`${HEAD} text-left`}>
                Evaluator
              </th>
              <th scope="col" className={`${HEAD} text-right`}>
                Passed
              </th>
              <th scope="col" className={`${HEAD} text-right`}>
                Pass rate
              </th>
            </tr>
          </thead>
          <tbody>
            {evals.map(({ id, name, passed, total, passRate, isAdvisory, correctedPassRate }) => (
              <tr key={id}>
                <td className={CELL}>
                  <AppLink href={`/evaluators/${id}`} className="text-ink">
                    {name}
                  </AppLink>
                  {isAdvisory && <span className="ml-2 text-label text-dim">advisory</span>}
                </td>
                <td className={`${CELL} text-right`}>
                  {passed} of {total}
                </td>
                <td className={`${CELL} text-right`}>
                  {passRate === null ? <span className="text-dim">–</span> : formatPercent(passRate / 100)}
                  {correctedPassRate && (
                    <span className="text-label text-dim">
                      {' '}
                      ({formatPercent(correctedPassRate.rate / 100)} corrected)
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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
