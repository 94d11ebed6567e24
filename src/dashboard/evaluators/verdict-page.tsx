import type { ReactNode } from 'react';
import type { Eval } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { formatMoney } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { VerdictBadge } from '../tests/verdict-badge.tsx';
import { JsonTree } from '../trace/span/json-tree.tsx';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { JudgeCalls } from './judge-calls.tsx';
import { evaluatorWords } from './words.ts';

/** Shows one verdict: its reason, its details, and how it came about. */
export function VerdictPage(): ReactNode {
  const id = usePathParam('evalId');
  const verdict = useApi('/v0/evals/{id}', { path: { id } });
  const loaded = verdict.data?.data;
  return (
    <Page
      title={loaded ? `Verdict of ${loaded.definition.name}` : 'Verdict'}
      back={loaded ? subjectOf(loaded).href : '/evaluators'}
      facts={
        loaded && (
          <>
            <VerdictBadge verdict={loaded} />
            {loaded.superseded && (
              <Badge tone="doubt" title="A newer verdict counts instead">
                Replaced
              </Badge>
            )}
          </>
        )
      }
      bar={loaded && <VerdictFacts verdict={loaded} />}
    >
      <Loaded of={verdict} isFlush>
        {({ data }) => <VerdictContent verdict={data} />}
      </Loaded>
    </Page>
  );
}

/** Returns what was judged, and the screen that shows it. */
const subjectOf = ({ testId, traceId }: Eval): { what: string; href: Href } =>
  testId === null
    ? { what: 'Trace', href: `/traces/${traceId}?tab=evals` }
    : { what: 'Test', href: `/tests/${testId}` };

function VerdictFacts({ verdict }: { verdict: Eval }): ReactNode {
  const { definition, definitionVersion, score, cost, latencyMs, version, createdAt } = verdict;
  const { what, href } = subjectOf(verdict);
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim">
      <AppLink href={href} className="text-accent underline">
        {what}
      </AppLink>
      <AppLink href={`/evaluators/${definition.id}`} className="text-accent underline">
        Evaluator
      </AppLink>
      <span>
        {definition.type}, version {definitionVersion}
        {definitionVersion !== definition.version && `, now ${definition.version}`}
      </span>
      {score !== null && <span>Score {score}</span>}
      {latencyMs !== null && <span>{formatDuration(latencyMs)}</span>}
      {cost !== null && <span>{formatMoney(cost)}</span>}
      {version > 1 && <span>Verdict no. {version}</span>}
      <time dateTime={createdAt} title={createdAt}>
        {formatMoment(createdAt)}
      </time>
    </div>
  );
}

const VerdictContent = ({ verdict }: { verdict: Eval }): ReactNode => (
  <div className="grid max-w-[960px] gap-6 p-4">
    <Section title="Reason">
      <p className="py-1 text-reading break-words whitespace-pre-wrap">
        {verdict.reason ?? 'This evaluator gives no reason.'}
      </p>
      <p className="text-dim">{evaluatorWords(verdict.definition.type).measures}</p>
    </Section>
    {verdict.results !== null && (
      <Section title="Details of the score">
        <JsonTree label="Details of the score" value={verdict.results} />
      </Section>
    )}
    <JudgeCalls evalId={verdict.id} />
    {verdict.judge !== null && (
      <Section title="How to reproduce it">
        <JsonTree label="How to reproduce it" value={verdict.judge} />
      </Section>
    )}
  </div>
);
