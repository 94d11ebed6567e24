import type { ReactNode } from 'react';
import type { DefinitionVersion, EvaluationDefinition, Reliability } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { formatJson } from '../ui/json-field.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { SelectField } from '../ui/field.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { WordDiff } from '../ui/word-diff.tsx';

const DEFAULTS = { against: '', to: '' };

/** Shows two versions of an evaluator beside each other: their texts, their settings, and how their verdicts differ. */
export function EvaluatorVersions({ definition }: { definition: EvaluationDefinition }): ReactNode {
  const { id, version: current } = definition;
  const [state, change] = useUrlState(DEFAULTS);
  const against = Number(state.against) || Math.max(1, current - 1);
  const to = Number(state.to) || current;
  const versions = useApi(
    '/v0/definitions/{id}/versions',
    { path: { id }, query: { against } },
    { keepsRows: true, version: current },
  );
  return (
    <div className="grid max-w-[1100px] gap-6 p-4">
      {current === 1 && (
        <p className="text-dim">
          There is one version. A changed configuration makes another one, which is compared here.
        </p>
      )}
      <Loaded of={versions}>
        {({ data }) => {
          const [before, after] = [against, to].map((one) => data.find(({ version }) => version === one));
          const choices = data.map(({ version, isCurrent }) => {
            const text = `Version ${version}${isCurrent ? ', current' : ''}`;
            return [String(version), text] as const;
          });
          return (
            <div className="grid gap-6">
              <Table versions={data} />
              {current > 1 && (
                <div className="grid grid-cols-2 gap-4">
                  <SelectField
                    label="Before"
                    choices={choices}
                    value={String(against)}
                    onChange={({ target }) => change({ against: target.value }, { replace: true })}
                  />
                  <SelectField
                    label="After"
                    choices={choices}
                    value={String(to)}
                    onChange={({ target }) => change({ to: target.value }, { replace: true })}
                  />
                </div>
              )}
              {before && after && before !== after && (
                <>
                  <Texts before={before} after={after} />
                  <Changes definitionId={id} before={before} after={after} />
                </>
              )}
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

const HEADS = [['Version'], ['Verdicts'], ['Passed'], ['First verdict', 'max-[720px]:hidden']] as const;

const Table = ({ versions }: { versions: readonly DefinitionVersion[] }): ReactNode => (
  <SmallTable label="Versions" heads={HEADS}>
    {versions.map(({ version, isCurrent, judged, passRate, firstVerdictAt }) => (
      <tr key={version} className="border-t border-line">
        <td className="py-1">
          {version}
          {isCurrent && <span className="text-dim"> current</span>}
        </td>
        <td>{formatWhole(judged)}</td>
        <td>{passRate ? rateText(passRate) : <span className="text-dim">–</span>}</td>
        <td className="max-[720px]:hidden">
          {firstVerdictAt === null ? <span className="text-dim">–</span> : formatMoment(firstVerdictAt)}
        </td>
      </tr>
    ))}
  </SmallTable>
);

const rateText = ({ rate, low, high }: { rate: number; low: number; high: number }): string =>
  `${formatPercent(rate / 100)} (${formatPercent(low / 100)} to ${formatPercent(high / 100)})`;

interface Pair {
  before: DefinitionVersion;
  after: DefinitionVersion;
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : formatJson(value);

/** Fields of a version that its verdicts depend on. */
const fieldsOf = ({ type, repeats, globalConfig }: DefinitionVersion): Readonly<Record<string, unknown>> => ({
  ...globalConfig,
  type,
  'answers of the judge': repeats,
});

function Texts({ before, after }: Pair): ReactNode {
  if (before.globalConfig === null || after.globalConfig === null)
    return (
      <p className="text-dim">
        The text of version {before.globalConfig === null ? before.version : after.version} is not known: it
        gave no verdict, or its verdicts have lost their texts.
      </p>
    );
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])].filter(
    (name) => textOf(old[name]) !== textOf(now[name]),
  );
  return (
    <Section title="What changed">
      {names.length === 0 && <p className="py-1 text-dim">Nothing that the server knows of.</p>}
      <dl>
        {names.map((name) => (
          <div key={name} className="border-t border-line py-2">
            <dt className="text-label font-semibold">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">
              <WordDiff a={textOf(old[name])} b={textOf(now[name])} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Changes({ definitionId: id, before, after }: Pair & { definitionId: string }): ReactNode {
  const [old, now] = [useAgreement(id, before.version), useAgreement(id, after.version)];
  const { shared } = after;
  return (
    <Section title="How the verdicts changed">
      <SmallTable
        label="How the verdicts changed"
        heads={[['Number'], [`Version ${before.version}`], [`Version ${after.version}`]]}
      >
        <tr className="border-t border-line">
          <th scope="row" className="py-1 text-left font-normal">
            Agreement κ with people
          </th>
          <td>{kappaText(old)}</td>
          <td>{kappaText(now)}</td>
        </tr>
        <tr className="border-t border-line">
          <th scope="row" className="py-1 text-left font-normal">
            Passed
          </th>
          {[before, after].map(({ version, passRate, judged }) => (
            <td key={version}>{passRate ? `${rateText(passRate)}, of ${formatWhole(judged)}` : '–'}</td>
          ))}
        </tr>
      </SmallTable>
      {shared && (
        <p className="mt-2 max-w-[720px]">
          {shared.judged === 0
            ? 'Nothing was judged by both, so that the pass rates are of different responses.'
            : `Of ${formatWhole(shared.judged)} that both judged, ${formatWhole(shared.onlyThisPassed + shared.onlyOtherPassed)} changed: ${formatWhole(shared.onlyThisPassed)} pass now, ${formatWhole(shared.onlyOtherPassed)} fail now.`}
        </p>
      )}
    </Section>
  );
}

const useAgreement = (id: string, version: number): Reliability | undefined =>
  useApi('/v0/definitions/{id}/reliability', { path: { id }, query: { version } }).data?.data;

const kappaText = (of: Reliability | undefined): string => {
  if (!of) return '…';
  const { kappa, verdicts } = of;
  return kappa === null
    ? verdicts.compared === 0
      ? 'not measured'
      : 'undefined'
    : `${kappa.value.toFixed(2)} (${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)}), of ${formatWhole(verdicts.compared)}`;
};
