import { styleText } from 'node:util';
import { bold, dim, durationText, truncateLine } from './terminal-text.ts';
import { countText } from '../runtime/count-text.ts';

/** Fields used of the response of `GET /v0/traces/{id}`. */
export interface TraceOfTree {
  id: string;
  timestamp: string;
  durationMs: number;
  /** A text or any JSON; null when unknown. */
  input?: unknown;
  output?: unknown;
  spanCount: number;
  errorCount: number;
  /** US dollars; null when unknown. */
  cost: number | null;
  usage: Tokens;
  steps?: readonly Step[];
}

interface Tokens {
  promptTokens: number;
  completionTokens: number;
}

interface Step {
  id: string;
  modelId?: string | null;
  cost?: number | null;
  usage?: Tokens;
}

/** Fields used of one span of `GET /v0/traces/{id}/spans`. Placeholders of missing parents have an id and a depth only. */
export interface DrawnSpan {
  id: string;
  name?: string;
  kind?: string;
  depth: number;
  startTime?: string;
  durationMs?: number;
  status?: { code: string };
}

const NAME_WIDTH = 25;
const BAR_WIDTH = 20;
/** Deeper spans are not indented any further. */
const MAX_INDENT = 14;
const TEXT_WIDTH = 90;

/** Joins the columns of the tree. */
const row = (kind: string, name: string, bar: string, metrics: readonly string[]): string => {
  const [duration = '', tokens = '', cost = '', model = ''] = metrics;
  const right = [duration.padStart(8), tokens.padStart(9), cost.padStart(9), model].join('  ');
  return `${kind.padEnd(10)}${name.padEnd(NAME_WIDTH)}${bar.padEnd(BAR_WIDTH)}${right}`.trimEnd();
};

/** Draws a line for each span, with a bar for the time it took within the trace. */
export function drawTrace(trace: TraceOfTree, spans: readonly DrawnSpan[]): string {
  const steps = new Map(trace.steps?.map((step) => [step.id, step]));
  const lines = spans.map((span) => spanLine(span, trace, steps.get(span.id)));
  if (spans.length < trace.spanCount) lines.push(`and ${trace.spanCount - spans.length} more`);
  const total = [
    countText(trace.spanCount, 'span'),
    ...(trace.errorCount > 0 ? [countText(trace.errorCount, 'error')] : []),
    durationText(trace.durationMs),
    `${tokensText(trace.usage)} tokens`,
    ...(trace.cost === null ? [] : [dollars(trace.cost)]),
  ];
  return [
    `${bold('asked')}     ${oneLine(trace.input)}`,
    `${bold('answered')}  ${oneLine(trace.output)}`,
    `${bold('in all')}    ${total.join(', ')}`,
    ...(lines.length === 0
      ? []
      : ['', dim(row('kind', 'span', 'time', ['', 'tokens', 'cost', 'model'])), ...lines]),
  ].join('\n');
}

function spanLine(span: DrawnSpan, trace: TraceOfTree, step: Step | undefined): string {
  const { name, kind = '', depth, startTime, durationMs, status } = span;
  const indent = '  '.repeat(depth).slice(0, MAX_INDENT);
  const shown = indent + truncateLine(name ?? '(not received)', NAME_WIDTH - 1 - indent.length);
  const isError = status?.code === 'ERROR';
  const metrics = [
    durationMs === undefined ? '' : durationText(durationMs),
    step?.usage ? tokensText(step.usage) : '',
    typeof step?.cost === 'number' ? dollars(step.cost) : '',
    [...(isError ? ['error'] : []), truncateLine(step?.modelId ?? '', NAME_WIDTH)].join(' '),
  ];
  const bar = startTime === undefined ? '' : barOf(Date.parse(startTime), durationMs ?? 0, trace);
  const colour = isError ? 'red' : kind === 'LLM' ? 'yellow' : 'blue';
  return row(kind, shown, bar, metrics).replace(/█+/, (block) => styleText(colour, block));
}

function barOf(startMs: number, durationMs: number, trace: TraceOfTree): string {
  const column = (ms: number): number => Math.round((ms / Math.max(trace.durationMs, 1)) * (BAR_WIDTH - 1));
  const start = Math.min(Math.max(column(startMs - Date.parse(trace.timestamp)), 0), BAR_WIDTH - 2);
  const width = Math.min(Math.max(column(durationMs), 1), BAR_WIDTH - 1 - start);
  return ' '.repeat(start) + '█'.repeat(width);
}

/** Shows an input or an output in one line. */
function oneLine(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return truncateLine(typeof value === 'string' ? value : JSON.stringify(value), TEXT_WIDTH);
}

const tokensText = ({ promptTokens, completionTokens }: Tokens): string =>
  `${promptTokens} + ${completionTokens}`;
const dollars = (amount: number): string => `$${amount.toFixed(5)}`;
