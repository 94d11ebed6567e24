import { styleText } from 'node:util';
import { bold, truncate, dim } from './log.ts';

/** Fields used of the response of `GET /v0/traces/{id}`. */
export interface Trace {
  id: string;
  timestamp: string;
  durationMs: number;
  input: string;
  output: string;
  spanCount: number;
  cost: number;
  usage: { promptTokens: number; completionTokens: number };
  steps: Step[];
}

interface Step {
  id: string;
  modelId?: string;
  cost?: number;
  usage?: { promptTokens: number; completionTokens: number };
}

/** Fields used of one span of `GET /v0/traces/{id}/spans`. */
export interface TraceSpan {
  id: string;
  name: string;
  kind: string;
  depth: number;
  startTime: string;
  durationMs: number;
}

const NAME_WIDTH = 25;
const BAR_WIDTH = 20;

/** Columns of the tree as texts; the last one is not filled up. */
const row = (kind: string, name: string, bar: string, metrics: readonly string[]): string => {
  const [duration = '', tokens = '', cost = '', model = ''] = metrics;
  const right = [duration.padStart(8), tokens.padStart(9), cost.padStart(9), model].join('  ');
  return `${kind.padEnd(10)}${name.padEnd(NAME_WIDTH)}${bar.padEnd(BAR_WIDTH)}${right}`.trimEnd();
};

/** A line for each span, with a bar for the time it took within the trace. At most 100 columns. */
export function drawTrace(trace: Trace, spans: readonly TraceSpan[]): string {
  const steps = new Map(trace.steps.map((step) => [step.id, step]));
  const lines = spans.map((span) => {
    const step = steps.get(span.id);
    const indent = '  '.repeat(span.depth);
    const name = indent + truncate(span.name, NAME_WIDTH - 1 - indent.length);
    const metrics = [
      `${Math.round(span.durationMs)} ms`,
      step?.usage ? tokensOf(step.usage) : '',
      step?.cost === undefined ? '' : dollars(step.cost),
      step?.modelId ?? '',
    ];
    const line = row(span.kind, name, barOf(span, trace), metrics);
    return line.replace(/█+/, (bar) => styleText(span.kind === 'LLM' ? 'yellow' : 'blue', bar));
  });
  const total = `${trace.spanCount} spans, ${Math.round(trace.durationMs)} ms, ${tokensOf(trace.usage)} tokens, ${dollars(trace.cost)}`;
  return [
    `${bold('asked')}     ${truncate(trace.input, 90)}`,
    `${bold('answered')}  ${truncate(trace.output, 90)}`,
    `${bold('in all')}    ${total}`,
    '',
    dim(row('kind', 'span', 'time', ['', 'tokens', 'cost', 'model'])),
    ...lines,
  ].join('\n');
}

function barOf({ startTime, durationMs }: TraceSpan, trace: Trace): string {
  const column = (ms: number): number => Math.round((ms / trace.durationMs) * (BAR_WIDTH - 1));
  const start = Math.min(column(Date.parse(startTime) - Date.parse(trace.timestamp)), BAR_WIDTH - 2);
  const width = Math.min(Math.max(column(durationMs), 1), BAR_WIDTH - 1 - start);
  return ' '.repeat(start) + '█'.repeat(width);
}

const tokensOf = ({ promptTokens, completionTokens }: Trace['usage']): string =>
  `${promptTokens} + ${completionTokens}`;
const dollars = (amount: number): string => `$${amount.toFixed(5)}`;
