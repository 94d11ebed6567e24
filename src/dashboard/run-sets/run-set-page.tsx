import type { ReactNode } from 'react';
import type { Decision, RunSet } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam } from '../app/url.tsx';
import { formatMoment } from '../format/time.ts';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { CanaryTable } from './canary-table.tsx';
import { DecisionOutcomeBadge, RunSetBadge } from './decision-badge.tsx';
import { EvidenceButton } from './evidence-button.tsx';
import { RunSetTasks } from './run-set-tasks.tsx';
import { UnpairedTable } from './unpaired-table.tsx';

const LIVE_MS = 2_000;

export function RunSetPage(): ReactNode {
  const id = usePathParam('runSetId');
  const set = useApi(
    '/v0/run-sets/{id}',
    { path: { id } },
    { refresh: (answer) => answer !== undefined && isInProgress(answer.data) && LIVE_MS },
  );
  const loaded = set.data?.data;
  return (
    <Page
      title={loaded ? titleOf(loaded) : 'Run set'}
      back="/run-sets"
      facts={loaded && <RunSetBadge set={loaded} />}
      actions={loaded?.decision && <EvidenceButton runSetId={id} />}
      bar={loaded && <RunSetFacts set={loaded} />}
    >
      <Loaded of={set}>
        {({ data }) => (
          <div className="grid gap-5 py-3">
            {!isInProgress(data) && <RunSetDecision set={data} />}
            <RunSetTasks set={data} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const isInProgress = ({ status, canaries }: RunSet): boolean => status === 'RUNNING' || canaries.open > 0;

const titleOf = ({ title, commit, id }: RunSet): string =>
  title ?? (commit === null ? `Run set ${id.slice(0, 8)}` : commit.slice(0, 12));

function RunSetFacts({ set }: { set: RunSet }): ReactNode {
  const known = [
    ['Branch', set.branch],
    ['Commit', set.commit?.slice(0, 12)],
    ['Pull request', set.pullRequest],
    ['By', set.author],
  ] as const;
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim max-[720px]:hidden">
      {known.map(
        ([name, text]) =>
          text != null && (
            <span key={name}>
              {name} <span className="text-ink">{text}</span>
            </span>
          ),
      )}
      <span>
        Started{' '}
        <time dateTime={set.createdAt} title={set.createdAt}>
          {formatMoment(set.createdAt)}
        </time>
      </span>
      {set.buildUrl !== null && (
        <a href={set.buildUrl} rel="noreferrer" className="text-accent hover:underline">
          Build
        </a>
      )}
      {set.baselineId !== null && (
        <AppLink href={`/run-sets/${set.baselineId}`} className="text-accent hover:underline">
          Baseline
        </AppLink>
      )}
    </div>
  );
}

/** Shows the decision by the rule that was recorded, or by the default rule. */
function RunSetDecision({ set }: { set: RunSet }): ReactNode {
  const recorded = set.decision;
  const { margin = null, ...rule } = recorded?.rule ?? {};
  const baseline = recorded?.baselineId ?? recorded?.baselineRunIds.join(',');
  const query = {
    ...rule,
    ...(margin !== null && { margin }),
    ...(baseline && { baseline }),
  };
  const decision = useApi(
    '/v0/run-sets/{id}/decision',
    { path: { id: set.id }, query },
    { version: set.modifiedAt },
  );
  return (
    <Loaded of={decision}>
      {({ data }) => <Decided decision={data} recorded={recorded?.outcome ?? null} />}
    </Loaded>
  );
}

const GATE_NAMES = {
  RUN_SET: 'Run set',
  CANARIES: 'Canaries',
  LINE: 'Pass rate',
  REGRESSION: 'Regression',
} as const;

interface DecidedProps {
  /** Decision that the results of today give. */
  decision: Decision;
  /** Outcome that was recorded; null for none. */
  recorded: Decision['outcome'] | null;
}

function Decided({ decision, recorded }: DecidedProps): ReactNode {
  const { gates, reasons, advisory, canaries, comparison, judged, judgedAgain, tests } = decision;
  const [candidate] = comparison?.candidates ?? [];
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <p className="text-reading font-semibold">{reasons[0] ?? 'Nothing was decided.'}</p>
        <p className="text-dim">
          {judged} of {tests} tests have every verdict.
          {recorded === null &&
            ' No decision was recorded: this is by the default rule, 100 % of the verdicts.'}
        </p>
        {judgedAgain.map((one) => (
          <p key={one.id}>
            {one.name} judged the same outputs again, {one.times} times in all at most; only the newest
            verdicts count.
          </p>
        ))}
        {recorded !== null && recorded !== decision.outcome && (
          <p role="status">
            Results have changed since the decision was recorded. This is what they give today:{' '}
            <DecisionOutcomeBadge outcome={decision.outcome} />
          </p>
        )}
      </div>
      <Section title="Checks">
        <SmallTable label="Checks" heads={[['Check', 'w-[110px]'], ['Outcome', 'w-[150px]'], ['Reason']]}>
          {gates.map(({ of, outcome, message }, index) => (
            <tr key={index} className="border-t border-line align-top">
              <td className="py-1.5">{GATE_NAMES[of]}</td>
              <td className="py-1.5">
                <DecisionOutcomeBadge outcome={outcome} />
              </td>
              <td className="py-1.5">{message}</td>
            </tr>
          ))}
        </SmallTable>
      </Section>
      {canaries.length > 0 && <CanaryTable canaries={canaries} />}
      {advisory.length > 0 && (
        <Section title="Only shown">
          <ul className="list-disc pl-5">
            {advisory.map(({ id, name, reason }) => (
              <li key={id}>
                <AppLink href={`/evaluators/${id}`}>{name}</AppLink>
                {reason !== null && <span className="text-dim"> – {reason}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {candidate && candidate.unpaired.length > 0 && <UnpairedTable unpaired={candidate.unpaired} />}
    </div>
  );
}
