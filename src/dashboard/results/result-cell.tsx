import type { ReactNode } from 'react';
import { formatMoney } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { classNames } from '../ui/class-names.ts';
import { WordDiffParts } from '../ui/word-diff.tsx';
import { CitedText } from './cited-text.tsx';
import { CHANGE_NAMES } from './changes.ts';
import type { GridColumn } from './grid-columns.ts';
import { OutcomeWord } from './outcome.tsx';
import {
  failureReason,
  type ResultColumn,
  type ShownResult,
  type ResultSide,
  sideOf,
} from './result-types.ts';

interface CellProps {
  row: ShownResult;
  column: GridColumn;
  columns: readonly ResultColumn[];
  /** Classes that limit a text to the lines of a row. */
  clamp: string;
}

/** Shows what a row has in a column. */
export function ResultCell({ row, column, columns, clamp }: CellProps): ReactNode {
  const last = row.sides.at(-1);
  const text = classNames('break-words', clamp);
  switch (column.id) {
    case 'result':
      return last && <ResultName row={row} side={last} />;
    case 'change':
      return <ChangeName row={row} />;
    case 'input':
      return <p className={text}>{row.input}</p>;
    case 'expected':
      return <p className={classNames(text, 'text-dim')}>{expectedText(row)}</p>;
    case 'inputExpected':
      return (
        <>
          <p className="line-clamp-2 break-words">{row.input}</p>
          <p className="line-clamp-2 text-label break-words text-dim">{row.expected ?? ''}</p>
        </>
      );
    case 'output':
      return <p className={text}>{last?.output == null ? <NoOutput /> : <CitedText side={last} />}</p>;
    case 'reason':
      return <Reason side={last} columns={columns} className={text} />;
    case 'diff':
      return <Difference row={row} className={text} />;
    case 'time':
      return <TimeAndCost side={last} />;
    case 'delta':
      return <Deltas row={row} />;
  }
  if (column.evaluator) return <Sign side={last} column={column.evaluator} />;
  const side = sideOf(row, column.side ?? 0);
  if (column.id.startsWith('side-')) return <SideOutput row={row} side={side} clamp={clamp} />;
  return side ? <Verdicts side={side} columns={columns} /> : <span className="text-dim">–</span>;
}

const expectedText = ({ expected, isExampleDeleted }: ShownResult): string =>
  expected ?? (isExampleDeleted ? 'The example was deleted' : '–');

const NoOutput = (): ReactNode => <span className="text-dim">no output</span>;

const exampleName = ({ exampleIndex }: ShownResult): string =>
  exampleIndex === null ? 'no example' : `example ${exampleIndex + 1}`;

function ResultName({ row, side }: { row: ShownResult; side: ResultSide }): ReactNode {
  return (
    <>
      <OutcomeWord outcome={side.outcome} />
      <span className="block text-label whitespace-nowrap text-dim">
        {side.tests > 1 ? `${side.passed} of ${side.tests} passed` : exampleName(row)}
      </span>
    </>
  );
}

function ChangeName({ row }: { row: ShownResult }): ReactNode {
  const { sign, name, tone } = CHANGE_NAMES[row.change ?? 'ONE_SIDE'];
  return (
    <>
      <span className={classNames('font-semibold whitespace-nowrap', tone)}>
        {sign} {name}
      </span>
      <span className="block text-label whitespace-nowrap text-dim">{exampleName(row)}</span>
    </>
  );
}

function Reason({
  side,
  columns,
  className,
}: {
  side: ResultSide | undefined;
  columns: readonly ResultColumn[];
  className: string;
}): ReactNode {
  const reason = failureReason(side, columns);
  if (reason === null) return null;
  return (
    <p className={className}>
      {reason.name !== '' && `${reason.name}: `}
      {reason.text}
    </p>
  );
}

/** Shows the verdict of an evaluator as a sign, or as its score where it has a scale. */
function Sign({ side, column }: { side: ResultSide | undefined; column: ResultColumn }): ReactNode {
  const verdict = side?.verdicts.find(({ definitionId }) => definitionId === column.definitionId);
  const faint = column.isBlocking ? '' : 'opacity-75';
  if (verdict?.passed == null)
    return (
      <span className="text-dim" aria-label={`${column.name}: no verdict`}>
        –
      </span>
    );
  const { passed, score } = verdict;
  const word = `${column.name}: ${passed ? 'passed' : 'failed'}`;
  if (column.max > 1 && score !== null)
    return (
      <span role="img" aria-label={`${word}, score ${score}`} className={passed ? 'text-dim' : 'text-fail'}>
        {Math.round(score * 10) / 10}
      </span>
    );
  return (
    <span
      role="img"
      aria-label={word}
      className={classNames(passed ? 'text-pass' : 'font-semibold text-fail', faint)}
    >
      {passed ? '✓' : '✕'}
    </span>
  );
}

function TimeAndCost({ side }: { side: ResultSide | undefined }): ReactNode {
  return (
    <>
      <span className="block">{side?.durationMs == null ? '–' : formatDuration(side.durationMs)}</span>
      <span className="block text-label text-dim">{side?.cost ? formatMoney(side.cost) : ''}</span>
    </>
  );
}

/** Smaller differences of cost are not shown. */
const SMALLEST_COST = 0.0001;

const signed = (value: number, format: (size: number) => string): string =>
  `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`;

function Deltas({ row }: { row: ShownResult }): ReactNode {
  const [a, b] = [sideOf(row, 0), sideOf(row, 1)];
  const time = a?.durationMs == null || b?.durationMs == null ? null : b.durationMs - a.durationMs;
  const cost = a?.cost == null || b?.cost == null ? null : b.cost - a.cost;
  return (
    <>
      <span className="block">{time === null ? '–' : signed(time, formatDuration)}</span>
      <span className="block text-label text-dim">
        {cost !== null && Math.abs(cost) >= SMALLEST_COST ? signed(cost, formatMoney) : ''}
      </span>
    </>
  );
}

function Difference({ row, className }: { row: ShownResult; className: string }): ReactNode {
  const [a, b] = [sideOf(row, 0)?.output, sideOf(row, 1)?.output];
  if (a == null || b == null) return <p className={className}>{b ?? a ?? <NoOutput />}</p>;
  return (
    <p className={className}>
      <WordDiffParts a={a} b={b} />
    </p>
  );
}

/** Shows how many blocking verdicts passed, and which did not. */
function Verdicts({ side, columns }: { side: ResultSide; columns: readonly ResultColumn[] }): ReactNode {
  const blocking = columns.filter(({ isBlocking }) => isBlocking);
  const counted = blocking.length > 0 ? blocking : columns;
  const found = counted.flatMap(({ definitionId, name }) => {
    const verdict = side.verdicts.find((one) => one.definitionId === definitionId);
    return verdict?.passed == null ? [] : [{ name, passed: verdict.passed }];
  });
  if (found.length === 0) return <OutcomeWord outcome={side.outcome} />;
  const failed = found.filter(({ passed }) => !passed).map(({ name }) => name);
  const isPassed = failed.length === 0;
  return (
    <>
      <span className={classNames('block whitespace-nowrap', isPassed ? 'text-pass' : 'text-fail')}>
        {isPassed ? '✓' : '✕'} {found.length - failed.length} of {found.length}
      </span>
      <span className="block truncate text-label text-dim" title={failed.join(', ')}>
        {failed.join(', ')}
      </span>
    </>
  );
}

/** Shows the output of a variant, with what it says otherwise than the first one. */
function SideOutput({
  row,
  side,
  clamp,
}: {
  row: ShownResult;
  side: ResultSide | undefined;
  clamp: string;
}): ReactNode {
  if (side === undefined) return <span className="text-dim">not tested</span>;
  const first = sideOf(row, 0);
  const { outcome, durationMs, cost, output } = side;
  return (
    <>
      <p className="flex justify-between gap-2">
        <OutcomeWord outcome={outcome} />
        <span className="truncate text-label text-dim">
          {[durationMs === null ? '' : formatDuration(durationMs), cost ? formatMoney(cost) : '']
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <p className={classNames('break-words', clamp)}>
        {output === null ? (
          <NoOutput />
        ) : side.side === 0 || first?.output == null ? (
          output
        ) : (
          <WordDiffParts a={first.output} b={output} hidesRemoved />
        )}
      </p>
    </>
  );
}
