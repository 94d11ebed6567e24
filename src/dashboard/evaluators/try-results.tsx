import type { ReactNode } from 'react';
import type { TriedSubject, TryResult } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatMoney, formatWhole } from '../format/number.ts';
import { Metric } from '../ui/metric.tsx';

type Now = NonNullable<TriedSubject['now']>;

/** A judged subject. */
interface Row extends TriedSubject {
  now: Now;
}

const personSays = ({ human }: TriedSubject): boolean | null =>
  human === null || human.verdict === 'UNDECIDED' ? null : human.verdict === 'PASS';
const isChanged = ({ stored, now }: Row): boolean =>
  typeof stored?.passed === 'boolean' && now.passed !== null && stored.passed !== now.passed;
const isUnlike = (row: Row): boolean => {
  const human = personSays(row);
  return human !== null && row.now.passed !== null && human !== row.now.passed;
};

/** Shows the verdicts of a try-out, those that changed first. The sample is chosen, so that there is no pass rate. */
export function TryResults({
  result: { results, spent },
  definitionId,
}: {
  result: TryResult;
  definitionId: string | null;
}): ReactNode {
  const rows = results.flatMap((one) => (one.now === null ? [] : [{ ...one, now: one.now }]));
  const changed = rows.filter(isChanged);
  const unlike = rows.filter((row) => !isChanged(row) && isUnlike(row));
  const others = rows.filter((row) => !isChanged(row) && !isUnlike(row));
  const reviewed = rows.filter((row) => personSays(row) !== null);
  const alike = reviewed.filter((row) => !isUnlike(row) && row.now.passed !== null);
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-3 gap-3 max-[560px]:grid-cols-1">
        <Metric
          title="As reviewers"
          value={reviewed.length === 0 ? null : `${alike.length} of ${reviewed.length}`}
        >
          {reviewed.length === 0 ? 'These have no review.' : 'Not a random sample.'}
        </Metric>
        <Metric title="Verdicts change" value={definitionId === null ? null : formatWhole(changed.length)}>
          {definitionId === null ? 'There is no saved version.' : 'Against the saved version.'}
        </Metric>
        <Metric title="Cost" value={spent.cost === null ? 'unknown' : formatMoney(spent.cost)}>
          {formatWhole(spent.calls)} verdicts of a model. Only the cost is stored.
        </Metric>
      </dl>
      <Group title="Changed" rows={changed} />
      <Group title="Unlike reviewers" rows={unlike} />
      <Group title={changed.length + unlike.length === 0 ? 'Verdicts' : 'Others'} rows={others} />
    </div>
  );
}

const Group = ({ title, rows }: { title: string; rows: readonly Row[] }): ReactNode =>
  rows.length > 0 && (
    <section aria-label={title}>
      <h3 className="rounded-sm bg-panel px-2 py-1 font-semibold">
        {title} <span className="font-normal text-dim">{formatWhole(rows.length)}</span>
      </h3>
      <ul>
        {rows.map((row, at) => (
          <ResultRow key={row.testId ?? row.traceId ?? at} row={row} />
        ))}
      </ul>
    </section>
  );

function ResultRow({ row }: { row: Row }): ReactNode {
  const { testId, traceId, input, output, human, stored, now } = row;
  const href =
    testId !== null
      ? (`/tests/${testId}` as const)
      : traceId !== null
        ? (`/traces/${traceId}` as const)
        : null;
  return (
    <li className="grid gap-1 border-b border-line px-2 py-2">
      <div className="flex items-start gap-3">
        <p className="min-w-0 grow [overflow-wrap:anywhere] line-clamp-2">
          {href === null ? (input ?? 'Given text') : <AppLink href={href}>{input ?? 'No input'}</AppLink>}
        </p>
        <dl className="flex shrink-0 gap-3 text-label">
          {human !== null && <Sign title="People" passed={personSays(row)} />}
          {stored !== null && <Sign title={`v${stored.definitionVersion}`} passed={stored.passed} />}
          <Sign title="Now" passed={now.passed} />
        </dl>
      </div>
      <p className="line-clamp-3 text-dim [overflow-wrap:anywhere]">
        <Quoted text={output ?? 'No output'} quotes={now.quotes} />
      </p>
      <p className="[overflow-wrap:anywhere]">{now.reason ?? 'No reason.'}</p>
      {human?.critique && <p className="text-dim [overflow-wrap:anywhere]">Reviewer: “{human.critique}”</p>}
      {now.inputTokens > 0 && (
        <p className="text-label text-dim">
          {formatWhole(now.inputTokens + now.outputTokens)} tokens
          {now.cost !== null && `, ${formatMoney(now.cost)}`}
        </p>
      )}
    </li>
  );
}

/** Shows a verdict as a sign, with its word for screen readers. */
const Sign = ({ title, passed }: { title: string; passed: boolean | null }): ReactNode => (
  <div className="grid justify-items-center">
    <dt className="text-dim">{title}</dt>
    <dd>
      <span aria-hidden="true" className={passed === null ? 'text-dim' : passed ? 'text-pass' : 'text-fail'}>
        {passed === null ? '–' : passed ? '✓' : '✕'}
      </span>
      <span className="sr-only">{passed === null ? 'no verdict' : passed ? 'passed' : 'failed'}</span>
    </dd>
  </div>
);

/** Underlines the words of a text that the reason quotes. */
function Quoted({ text, quotes }: { text: string; quotes: Now['quotes'] }): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { start, end } of quotes.toSorted((a, b) => a.start - b.start)) {
    if (start < from || end > text.length) continue;
    parts.push(text.slice(from, start), <u key={start}>{text.slice(start, end)}</u>);
    from = end;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
