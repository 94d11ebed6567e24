import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';

type Wait = NonNullable<Run['waitsFor']>[number];

/** Shows the endpoints that a run waits for, and until when. */
export function RunWaits({ waits }: { waits: readonly Wait[] }): ReactNode {
  return waits.map((wait) => (
    <p key={`${wait.kind} ${wait.name}`} className="text-dim">
      {countOf(wait)} for {nameOf(wait)}, which {limitOf(wait)}.
      {wait.forecast !== null && ` Done at ${new Date(wait.forecast).toLocaleTimeString()} at the earliest.`}
    </p>
  ));
}

function countOf({ kind, waiting }: Wait): string {
  const [one, several] =
    kind === 'WEBHOOK' ? ['test waits', 'tests wait'] : ['verdict waits', 'verdicts wait'];
  return `${formatWhole(waiting)} ${waiting === 1 ? one : several}`;
}

function nameOf({ kind, name }: Wait): string {
  if (kind === 'JUDGE') return `the judge “${name}”`;
  return kind === 'SCORER' ? `the scorer ${name}` : `the app at ${name}`;
}

function limitOf({ requestsPerMinute, requestsAtOnce }: Wait): string {
  return requestsPerMinute === null
    ? `takes ${formatWhole(requestsAtOnce)} at once`
    : `limits requests to about ${formatWhole(Math.max(1, Math.round(requestsPerMinute)))} a minute`;
}
