import type { ReactNode } from 'react';
import type { EvaluationDefinition, Reliability } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { Choice } from '../ui/choice.tsx';
import { Metric } from '../ui/metric.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { People } from './people.tsx';
import { evaluatorWords } from './words.ts';

/** Versions that the list offers. */
const MAX_VERSIONS = 50;
const DEFAULTS = { version: '' };

/** Shows how far the verdicts of one version agree with those of people, and what its gate says. */
export function AgreementPanel({ definition }: { definition: EvaluationDefinition }): ReactNode {
  const { id, version: current, type } = definition;
  const [{ version }, change] = useUrlState(DEFAULTS);
  const query = version === '' ? {} : { version: Number(version) };
  const reliability = useApi(
    '/v0/definitions/{id}/reliability',
    { path: { id }, query },
    { keepsRows: true, version: current },
  );
  const earlier = Array.from({ length: Math.min(current - 1, MAX_VERSIONS) }, (_, index) =>
    String(current - 1 - index),
  );
  return (
    <Section
      title="Agreement with people"
      actions={
        earlier.length > 0 && (
          <Choice
            label="Version"
            anyText={`Version ${current}`}
            value={version}
            choices={earlier.map((number) => [number, `Version ${number}`])}
            onChoose={(chosen) => change({ version: chosen }, { replace: true })}
          />
        )
      }
    >
      <Loaded of={reliability}>
        {({ data }) => (
          <>
            <Gate reliability={data} isJudged={evaluatorWords(type).isJudged} />
            {data.verdicts.compared === 0 ? (
              <p className="mt-2 text-dim">
                No person has judged a trace by this evaluator’s criterion. Verdicts of people that name it,
                on traces or in a review queue, show how far it can be trusted. Those on complete traces count
                if its settings say so.
              </p>
            ) : (
              <Numbers reliability={data} />
            )}
            <People annotators={data.annotators} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Says whether the verdicts decide, and why not. */
function Gate({ reliability, isJudged }: { reliability: Reliability; isJudged: boolean }): ReactNode {
  const { gate } = reliability;
  if (!isJudged) return <p className="py-1 text-dim">A rule decides, without a judge model.</p>;
  if (gate === null)
    return (
      <p className="py-1">
        <Badge tone="doubt">? Non-blocking</Badge>{' '}
        <span className="text-dim">
          It is not verified: its verdicts are shown, and never fail a run. The tab Agreement says what is
          missing.
        </span>
      </p>
    );
  return (
    <p className="py-1">
      {gate.isValid ? <Badge tone="pass">✓ Verified</Badge> : <Badge tone="doubt">? Not verified</Badge>}{' '}
      <span className="text-dim">
        {gate.reason ??
          `The judge agrees with people: an agreement κ of at least ${gate.minKappa} is shown by ${formatWhole(gate.verdicts)} verdicts.`}
      </span>
    </p>
  );
}

function Numbers({ reliability }: { reliability: Reliability }): ReactNode {
  const { kappa, agreement, confusion, correctedPassRate, refusal, verdicts } = reliability;
  const percent = (value: number): string => formatPercent(value / 100);
  return (
    <>
      <dl className="mt-2 grid grid-cols-2 gap-3">
        <Metric title="Agreement κ" value={kappa && kappa.value.toFixed(2)}>
          {kappa
            ? `0 is chance, 1 is perfect. 95 % interval ${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)}.`
            : 'Both sides always say the same.'}
        </Metric>
        <Metric title="Same verdict" value={agreement && percent(agreement.rate)}>
          Of {formatWhole(verdicts.compared)} that people judged too
          {verdicts.tied > 0 &&
            `; on ${formatWhole(verdicts.tied)} of these they are undecided, which counts half`}
          .
        </Metric>
        <Metric
          title="Pass rate as reviewers would judge"
          value={correctedPassRate && percent(correctedPassRate.rate)}
        >
          {correctedPassRate
            ? `What people would pass: ${percent(correctedPassRate.low)} to ${percent(correctedPassRate.high)}.`
            : refusal?.message}
        </Metric>
      </dl>
      <table className="mt-3 w-full table-fixed text-right">
        <caption className="pb-1 text-left text-label text-dim">Verdicts of both</caption>
        <thead>
          <tr className="text-label text-dim">
            <td />
            <th scope="col" className="font-normal">
              People pass
            </th>
            <th scope="col" className="font-normal">
              People fail
            </th>
          </tr>
        </thead>
        <tbody>
          <Row title="It passes" values={[confusion.truePositives, confusion.falsePositives]} />
          <Row title="It fails" values={[confusion.falseNegatives, confusion.trueNegatives]} />
        </tbody>
      </table>
    </>
  );
}

const Row = ({ title, values }: { title: string; values: readonly number[] }): ReactNode => (
  <tr className="border-t border-line">
    <th scope="row" className="py-1 text-left font-normal">
      {title}
    </th>
    {values.map((value, index) => (
      <td key={index === 0 ? 'pass' : 'fail'}>
        {Number.isInteger(value) ? formatWhole(value) : value.toFixed(1)}
      </td>
    ))}
  </tr>
);
