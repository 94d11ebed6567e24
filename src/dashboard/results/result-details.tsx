import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { AppLink, useOpen } from '../app/url.tsx';
import { useApi } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { WordDiff } from '../ui/word-diff.tsx';
import { CitedText } from './cited-text.tsx';
import { OutcomeBadge } from './outcome.tsx';
import { type ResultColumn, type ShownResult, type ResultSide, sideOf } from './result-types.ts';

interface ResultDetailsProps {
  row: ShownResult;
  columns: readonly ResultColumn[];
  sides: readonly { side: string; name: string }[];
  layout: string;
  /** True if it covers the rows. */
  isOverlay: boolean;
  /** Rows before and after it; undefined at the ends. */
  neighbours: readonly [ShownResult | undefined, ShownResult | undefined];
  onOpen: (row: ShownResult) => void;
  onClose: () => void;
}

const VIEWS = ['plain', 'before', 'expected'] as const;
type View = (typeof VIEWS)[number];

/** Everything about one example: texts, what changed, and each verdict with its reason. */
export function ResultDetails(props: ResultDetailsProps): ReactNode {
  const { row, columns, sides, isOverlay, neighbours, onOpen, onClose } = props;
  const [previous, next] = neighbours;
  const side = row.sides.at(-1);
  const open = useOpen();
  const traceId = side?.traceId ?? null;
  useShortcuts(
    traceId === null
      ? []
      : [{ keys: 'o', label: 'Open the trace', group: 'Results', run: () => open(`/traces/${traceId}`) }],
  );
  const name = row.exampleIndex === null ? 'Result' : `Example ${row.exampleIndex + 1}`;
  return (
    <section
      aria-label={`${name}, details`}
      className={classNames(
        'flex min-h-0 shrink-0 flex-col bg-page',
        isOverlay
          ? 'absolute inset-y-0 right-0 z-20 w-full max-w-[640px] border-l border-edge max-[720px]:fixed max-[720px]:inset-0 max-[720px]:max-w-none'
          : 'w-[500px]',
      )}
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="min-w-0 truncate text-reading font-semibold">
          {name} · {row.input.slice(0, 60)}
        </h2>
        <div className="ml-auto flex shrink-0 items-center gap-2">
          {side && <DetailLink href={`/tests/${side.testId}`}>Test</DetailLink>}
          {traceId !== null && <DetailLink href={`/traces/${traceId}`}>Trace</DetailLink>}
          <Button
            look="quiet"
            aria-label="Previous result"
            disabled={previous === undefined}
            onClick={() => previous && onOpen(previous)}
          >
            <ChevronLeft size={14} aria-hidden="true" />
          </Button>
          <Button
            look="quiet"
            aria-label="Next result"
            disabled={next === undefined}
            onClick={() => next && onOpen(next)}
          >
            <ChevronRight size={14} aria-hidden="true" />
          </Button>
          <Button look="quiet" aria-label="Close the details" onClick={onClose}>
            <X size={14} aria-hidden="true" />
          </Button>
        </div>
      </div>
      <div
        tabIndex={0}
        role="region"
        aria-label="Content of the details"
        className="grid min-h-0 grow content-start gap-4 overflow-y-auto px-4 py-3"
      >
        {side && (
          <p className="flex items-center gap-2">
            <OutcomeBadge outcome={side.outcome} />
            <span className="text-dim">
              {side.tests > 1 && `${side.passed} of ${side.tests} passed. `}
              {side.cause?.title}
            </span>
          </p>
        )}
        <Text title="Input">{row.input}</Text>
        <Text title="Expected">
          {row.expected ??
            (row.isExampleDeleted ? 'The example was deleted.' : 'The example expects nothing.')}
        </Text>
        <Outputs key={row.exampleId} row={row} sides={sides} />
        {side && <FailedCalls side={side} />}
        {side && <VerdictList side={side} columns={columns} />}
      </div>
    </section>
  );
}

const DetailLink = ({
  href,
  children,
}: {
  href: `/tests/${string}` | `/traces/${string}`;
  children: string;
}): ReactNode => (
  <AppLink
    href={href}
    className="inline-flex h-[26px] items-center rounded-md border border-edge px-2.5 text-ink no-underline hover:bg-panel"
  >
    {children}
  </AppLink>
);

const HEAD = 'text-label font-semibold tracking-wide text-dim uppercase';

const Text = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div>
    <h3 className={HEAD}>{title}</h3>
    <p className="text-reading break-words whitespace-pre-wrap">{children}</p>
  </div>
);

/** Shows the output, plain or against another text. */
function Outputs({ row, sides }: { row: ShownResult; sides: ResultDetailsProps['sides'] }): ReactNode {
  const side = row.sides.at(-1);
  const first = sides.length > 1 ? sideOf(row, 0) : undefined;
  const before = first && first !== side ? first.output : null;
  const choices: readonly (readonly [View, string])[] = [
    ['plain', 'plain'],
    ...(before === null ? [] : [['before', `against ${sides[0]?.name ?? 'the other'}`] as const]),
    ...(row.expected === null ? [] : [['expected', 'against expected'] as const]),
  ];
  const [chosen, setView] = useState<View | null>(null);
  const view = chosen ?? (before !== null && row.isOutputChanged ? 'before' : 'plain');
  const turn = (): void => {
    const at = choices.findIndex(([id]) => id === view);
    setView(choices[(at + 1) % choices.length]?.[0] ?? 'plain');
  };
  useShortcuts([{ keys: 'd', label: 'Show the output against other texts', group: 'Results', run: turn }]);
  const output = side?.output ?? null;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2 pb-1">
        <h3 className={HEAD}>Output</h3>
        {choices.length > 1 && (
          <div role="group" aria-label="Output" className="ml-auto flex rounded-md border border-edge">
            {choices.map(([id, name]) => (
              <button
                key={id}
                type="button"
                aria-pressed={id === view}
                className={classNames(
                  'cursor-pointer border-l border-edge px-2 text-label leading-5 first:border-l-0',
                  id === view && 'bg-selection font-semibold text-accent',
                )}
                onClick={() => setView(id)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
      </div>
      {output === null || side === undefined ? (
        <p className="text-dim">No span reports an output.</p>
      ) : view === 'before' && before !== null ? (
        <WordDiff a={before ?? ''} b={output} />
      ) : view === 'expected' && row.expected !== null ? (
        <WordDiff a={row.expected} b={output} />
      ) : (
        <p className="text-reading break-words whitespace-pre-wrap">
          <CitedText side={side} />
        </p>
      )}
      {side?.isTruncated === true && (
        <p className="text-label text-dim">The output is longer. The trace has all of it.</p>
      )}
    </div>
  );
}

/** Spans that are read for failed calls. */
const MAX_SPANS = 200;
/** Failed calls that are shown. */
const MAX_FAILED = 20;

/** Shows the calls of tools that failed on the way. */
function FailedCalls({ side: { traceId } }: { side: ResultSide }): ReactNode {
  const spans = useApi(
    '/v0/traces/{id}/spans',
    { path: { id: traceId ?? '' }, query: { limit: MAX_SPANS } },
    { enabled: traceId !== null },
  );
  const ids = (spans.data?.data ?? [])
    .filter(({ kind, status }) => kind === 'TOOL' && status?.code === 'ERROR')
    .map(({ id }) => id)
    .slice(0, MAX_FAILED);
  const query = { spanId: ids, include: 'payload' as const, limit: MAX_FAILED };
  const messages = useApi(
    '/v0/traces/{id}/spans',
    { path: { id: traceId ?? '' }, query },
    { enabled: ids.length > 0 },
  );
  const failed = messages.data?.data ?? [];
  if (failed.length === 0) return null;
  return (
    <div>
      <h3 className={HEAD}>Failed tool calls</h3>
      {failed.map(({ id, name, status }) => (
        <p key={id} className="font-mono text-label break-words">
          {name} <span className="text-fail">{status?.message ?? 'error'}</span>
        </p>
      ))}
    </div>
  );
}

/** Lists the verdicts: failed ones first. */
function VerdictList({ side, columns }: { side: ResultSide; columns: readonly ResultColumn[] }): ReactNode {
  const rows = columns.flatMap((column) => {
    const verdict = side.verdicts.find(({ definitionId }) => definitionId === column.definitionId);
    return verdict ? [{ column, verdict }] : [];
  });
  const blocking = rows.filter(({ column }) => column.isBlocking);
  const passed = blocking.filter(({ verdict }) => verdict.passed === true).length;
  const sorted = rows.toSorted((a, b) => rank(a.verdict.passed) - rank(b.verdict.passed));
  return (
    <div>
      <h3 className={HEAD}>
        Verdicts
        {blocking.length > 0
          ? ` · ${passed} of ${blocking.length} blocking passed`
          : ' · no blocking evaluator'}
      </h3>
      <ul>
        {sorted.map(({ column, verdict }) => (
          <li key={verdict.evalId} className="border-b border-line py-2">
            <div className="flex items-center gap-2">
              <span aria-hidden="true" className={signColour(verdict.passed)}>
                {verdict.passed === null ? '–' : verdict.passed ? '✓' : '✕'}
              </span>
              <span className="font-semibold">{column.name}</span>
              <span className="text-label text-dim">
                {verdict.passed === null ? 'no verdict' : verdict.passed ? 'passed' : 'failed'}
                {!column.isBlocking && ', non-blocking'}
              </span>
              <AppLink href={`/evals/${verdict.evalId}`} className="ml-auto text-accent underline">
                Verdict
              </AppLink>
            </div>
            {verdict.reason !== null && <p className="break-words">{verdict.reason}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}

const rank = (passed: boolean | null): number => (passed === false ? 0 : passed === null ? 1 : 2);
const signColour = (passed: boolean | null): string =>
  passed === null ? 'text-dim' : passed ? 'text-pass' : 'text-fail';
