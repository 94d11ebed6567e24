import type { ReactNode } from 'react';
import type { Disagreement, EvaluationDefinition } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { Loaded, Section } from '../ui/panel.tsx';

const DEFAULTS = { half: 'DRAFT' };

/** Lists where an evaluator and people differ, with the reasons of both. */
export function Disagreements({
  definition: { id, version },
}: {
  definition: EvaluationDefinition;
}): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const half = state.half === 'HOLDOUT' ? 'HOLDOUT' : 'DRAFT';
  const list = useApi(
    '/v0/definitions/{id}/disagreements',
    { path: { id }, query: { half } },
    { keepsRows: true, version },
  );
  const counts = list.data?.counts;
  const choices = [
    ['DRAFT', 'Draft half', counts?.draft],
    ['HOLDOUT', 'Holdout', counts?.holdout],
  ] as const;
  return (
    <Section
      title="Disagreements"
      actions={choices.map(([value, title, count]) => (
        <Button
          key={value}
          look={value === half ? 'chosen' : 'plain'}
          aria-pressed={value === half}
          onClick={() => change({ half: value }, { replace: true })}
        >
          {title} {count === undefined ? '' : formatWhole(count)}
        </Button>
      ))}
    >
      <p className="py-1 text-dim">
        {half === 'DRAFT'
          ? 'The criterion may be written after these. Those that wait for your blind review are not shown.'
          : 'Held out of the random sample: never use these for the criterion, or its agreement looks better than it is.'}
      </p>
      <Loaded of={list}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-dim">There are none in this half.</p>
          ) : (
            <ul aria-label="Disagreements">
              {data.map((one) => (
                <Row key={one.evalId} of={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {half === 'DRAFT' && counts !== undefined && counts.draft > 0 && (
        <p className="mt-2">
          <AppLink
            href={`/evaluators/${id}?tab=settings&sample=DISAGREEMENTS`}
            className="text-accent underline"
          >
            Use for version {version + 1}
          </AppLink>
        </p>
      )}
    </Section>
  );
}

const SAID = {
  PASS: ['✓', 'passes', 'text-pass'],
  FAIL: ['✕', 'fails', 'text-fail'],
  UNSURE: ['–', 'unsure', 'text-dim'],
} as const;

const Row = ({ of }: { of: Disagreement }): ReactNode => (
  <li className="grid grid-cols-3 gap-4 border-t border-line py-2 [overflow-wrap:anywhere] max-[720px]:grid-cols-1 max-[720px]:gap-1">
    <div className="min-w-0">
      <AppLink href={of.testId === null ? `/traces/${of.traceId}` : `/tests/${of.testId}`}>
        {of.input ?? 'No input'}
      </AppLink>
      <p className="line-clamp-3 text-dim">{of.output ?? 'No output'}</p>
    </div>
    <p className="min-w-0">
      <Sign said={of.passed === true ? 'PASS' : 'FAIL'} />{' '}
      <AppLink href={`/evals/${of.evalId}`} className="text-ink">
        Judge
      </AppLink>
      : {of.reason ?? 'no reason'}
    </p>
    <ul className="min-w-0">
      {of.people.map(({ name, said, critique }, at) => (
        <li key={at}>
          <Sign said={said} /> {name}
          {critique === null ? '' : `: “${critique}”`}
        </li>
      ))}
    </ul>
  </li>
);

/** Shows a verdict as a sign, with its word for screen readers. */
const Sign = ({ said }: { said: keyof typeof SAID }): ReactNode => {
  const [sign, word, look] = SAID[said];
  return (
    <>
      <span aria-hidden="true" className={look}>
        {sign}
      </span>
      <span className="sr-only">{word}</span>
    </>
  );
};
