import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent } from '../format/number.ts';

const HEAD = 'h-[28px] border-b border-line text-label font-normal text-dim';
const CELL = 'h-[30px] border-b border-line';

type EvaluatorRate = Pick<
  Run['evals'][number],
  'id' | 'name' | 'passed' | 'total' | 'passRate' | 'isAdvisory' | 'correctedPassRate'
>;

/** Pass rates of evaluators as a table; those of judges that people have measured also corrected for their errors. */
export function EvaluatorRates({
  label,
  rates,
}: {
  label: string;
  rates: readonly EvaluatorRate[];
}): ReactNode {
  return (
    <table aria-label={label} className="w-full">
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
        {rates.map(({ id, name, passed, total, passRate, isAdvisory, correctedPassRate }) => (
          <tr key={id}>
            <td className={CELL}>
              <AppLink href={`/evaluators/${id}`} className="text-ink">
                {name}
              </AppLink>
              {isAdvisory && <span className="ml-2 text-label text-dim">non-blocking</span>}
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
  );
}
