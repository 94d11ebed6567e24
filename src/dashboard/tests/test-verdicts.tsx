import type { ReactNode } from 'react';
import type { Eval, Test } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatMoney } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { Section } from '../ui/panel.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

/** Shows the verdicts on a test, each with its rationale. */
export function TestVerdicts({ test }: { test: Test }): ReactNode {
  const { evals, result, status } = test;
  if (evals.length === 0) {
    return status === 'COMPLETED' ? (
      <Section title="Verdicts">
        <p className="py-1 text-dim">
          No evaluator applies to this task. Link one in{' '}
          <AppLink href="/evaluators" className="text-accent underline">
            Evaluators
          </AppLink>
          , then choose “Judge again”.
        </p>
      </Section>
    ) : null;
  }
  const passed = result ? `, ${result.passed} of ${result.total} passed` : '';
  return (
    <Section title={`Verdicts${passed}`}>
      <ul>
        {evals.map((one) => (
          <Verdict key={one.id} verdict={one} />
        ))}
      </ul>
    </Section>
  );
}

function Verdict({ verdict }: { verdict: Eval }): ReactNode {
  const { id, definition, definitionVersion, reason, cost, latencyMs, score, version } = verdict;
  const facts = [
    definition.type,
    definitionVersion === definition.version
      ? `version ${definitionVersion}`
      : `version ${definitionVersion}, now ${definition.version}`,
    ...(score === null ? [] : [`score ${score}`]),
    ...(latencyMs === null ? [] : [formatDuration(latencyMs)]),
    ...(cost === null ? [] : [formatMoney(cost)]),
    ...(version > 1 ? [`verdict no. ${version}`] : []),
  ];
  return (
    <li className="border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictBadge verdict={verdict} />
        <AppLink href={`/evaluators/${definition.id}`} className="font-semibold text-ink">
          {definition.name}
        </AppLink>
        <span className="text-label text-dim">{facts.join(' · ')}</span>
        <AppLink href={`/evals/${id}`} className="ml-auto text-accent underline">
          Details
        </AppLink>
      </div>
      {reason !== null && <p className="mt-1 break-words whitespace-pre-wrap text-reading">{reason}</p>}
    </li>
  );
}
