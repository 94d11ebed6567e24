import type { ReactNode } from 'react';
import { useCall } from '../api/use-api.ts';
import type { ApiClient, Call } from '../api/client.ts';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { termsOf, without } from './line.ts';

/** Most terms that are tried without. */
const MAX_TRIED = 8;

interface Counted {
  pagination: { total: number; totalExceeded?: true };
}

interface NoMatchProps {
  what: string;
  path: '/v0/traces' | '/v0/tests' | '/v0/sessions';
  line: string;
  onChange: (line: string) => void;
}

/** Says that nothing matches, and which term excludes most. */
export function NoFilterMatch({ what, path, line, onChange }: NoMatchProps): ReactNode {
  const terms = termsOf(line).slice(0, MAX_TRIED);
  const counts = useCall<number[]>(path, { query: { without: line } }, (client, signal) =>
    countWithout(client, path, line, signal),
  );
  const totals = counts.data ?? [];
  const best = totals.indexOf(Math.max(...totals));
  const term = terms[best];
  const total = totals[best] ?? 0;
  return (
    <Empty title={`No ${what} matches`}>
      {term && total > 0 && terms.length > 1 ? (
        <p>
          Without <code className="font-mono">{term.text}</code>: {total > 10_000 ? 'more than ' : ''}
          {formatWhole(Math.min(total, 10_000))}
        </p>
      ) : (
        <p>Every term of the filter must hold. Remove one to see more.</p>
      )}
      <div className="flex gap-2">
        {term && total > 0 && terms.length > 1 && (
          <Button look="primary" onClick={() => onChange(without(line, term))}>
            Remove {term.text}
          </Button>
        )}
        <Button onClick={() => onChange('')}>Clear the filter</Button>
      </div>
    </Empty>
  );
}

/** Counts the matches without each of the terms. */
async function countWithout(
  client: ApiClient,
  path: NoMatchProps['path'],
  line: string,
  signal: AbortSignal,
): Call<number[]> {
  const get = client.GET as (path: string, init: object) => Call<Counted>;
  const answers = await Promise.all(
    termsOf(line)
      .slice(0, MAX_TRIED)
      .map((term) => get(path, { params: { query: { q: without(line, term), limit: 1 } }, signal })),
  );
  const data = answers.map(({ data: found }) =>
    found?.pagination.totalExceeded ? found.pagination.total + 1 : (found?.pagination.total ?? 0),
  );
  const [first] = answers;
  return { data, response: first?.response ?? new Response() };
}
