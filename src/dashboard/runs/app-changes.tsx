import type { ReactNode } from 'react';
import type { RunComparison } from '../../api/generated/schema.ts';
import { useCall } from '../api/use-api.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { WordDiffParts } from '../ui/word-diff.tsx';

type ComparedCandidate = RunComparison['candidates'][number];
type AppChange = NonNullable<ComparedCandidate['changes']>[number];

interface AppChangesPanelProps {
  baselineId: string;
  candidateId: string;
  /** Text that changes with the results of the runs. */
  version: string;
}

const HEAD = 'text-label font-semibold tracking-wide text-dim uppercase';

/** Shows what the traces of one run have otherwise than those of the other: prompt, model, version. */
export function AppChangesPanel({ baselineId, candidateId, version }: AppChangesPanelProps): ReactNode {
  const body = {
    baseline: { runIds: [baselineId] },
    candidates: [{ runIds: [candidateId] }],
    by: 'OUTCOME' as const,
    withChanges: true,
  };
  const comparison = useCall(
    '/v0/runs/compare',
    { query: body },
    (api, signal) => api.POST('/v0/runs/compare', { body, signal }),
    { version },
  );
  const candidate = comparison.data?.data.candidates[0];
  return (
    <section
      aria-label="What changed in the app"
      aria-busy={comparison.isPending}
      className="min-w-0 border-line min-[1081px]:border-l min-[1081px]:pl-6"
    >
      <h2 className={HEAD}>What changed in the app</h2>
      {comparison.error !== null ? (
        <p className="text-dim">The traces could not be read.</p>
      ) : candidate === undefined ? (
        <p className="text-dim">Reading traces …</p>
      ) : (
        <FoundChanges candidate={candidate} />
      )}
    </section>
  );
}

function FoundChanges({
  candidate: { changes = [], tracesRead },
}: {
  candidate: ComparedCandidate;
}): ReactNode {
  const { baseline = 0, candidate = 0 } = tracesRead ?? {};
  if (baseline === 0 || candidate === 0)
    return <p className="text-dim">One run has no traces, so nothing can be said about its app.</p>;
  return (
    <>
      {changes.length === 0 && (
        <p>No change found: prompt, model, parameters, tools and versions are the same on both sides.</p>
      )}
      <ul tabIndex={0} aria-label="Changes" className="grid gap-2 overflow-y-auto min-[1081px]:max-h-[148px]">
        {changes.map((change) => (
          <li key={`${change.kind} ${change.name}`} className="min-w-0">
            <Change change={change} />
          </li>
        ))}
      </ul>
      <p className="pt-1 text-label text-dim">
        Seen in {formatWhole(baseline)} and {formatWhole(candidate)} traces.
      </p>
    </>
  );
}

const TITLES: Readonly<Record<AppChange['kind'], string>> = {
  SYSTEM_MESSAGE: 'Instructions of',
  MODEL: 'Model of',
  PARAMETER: 'Parameter',
  TOOLS: 'Tools of',
  ATTRIBUTE: 'Attribute',
};

function Change({ change }: { change: AppChange }): ReactNode {
  const { kind, name, baseline, candidate, baselineShare, candidateShare } = change;
  const isText = kind === 'SYSTEM_MESSAGE' || kind === 'TOOLS';
  const isMixed = baselineShare < 1 || candidateShare < 1;
  return (
    <>
      <p className="text-label text-dim">
        {TITLES[kind]} <span className="font-semibold text-ink">{name}</span>
        {isMixed &&
          ` (in ${formatPercent(baselineShare)} and ${formatPercent(candidateShare)} of the traces)`}
      </p>
      <p className="text-reading break-words whitespace-pre-wrap">
        {isText && baseline !== null && candidate !== null ? (
          <WordDiffParts a={baseline} b={candidate} />
        ) : (
          <>
            {baseline ?? 'none'} <span aria-hidden="true">→</span>
            <span className="sr-only">became</span> {candidate ?? 'none'}
          </>
        )}
      </p>
    </>
  );
}
