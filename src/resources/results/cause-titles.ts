import type { Database } from '../../storage/database.ts';
import type { FailureCode } from '../../tests/failures.ts';
import { definitions } from '../definitions/record.ts';

const FAILURE_TITLES: Readonly<Record<FailureCode, string>> = {
  webhook_status: 'App error: the webhook responded with an error',
  webhook_timeout: 'App error: the webhook did not respond in time',
  trace_missing: 'App error: no trace arrived',
  prompt_not_written: 'Not run: no prompt was written',
  webhook_not_configured: 'Not run: there is no webhook',
  webhook_unreachable: 'Not run: the webhook could not be reached',
  webhook_blocked_address: 'Not run: the address of the webhook is blocked',
  delivery_unknown: 'Not run: it is unknown whether the app received the test',
  erased: 'Not run: the text of the test was erased',
  cancelled: 'Not run: the test was cancelled',
  trace_deleted: 'No verdict: the trace was deleted',
  evaluation_error: 'No verdict: the test could not be evaluated',
};

const FACT_TITLES: Readonly<Record<string, string>> = {
  missing: 'an expected fact is missing',
  contradicted: 'a statement is not supported',
  'missing+contradicted': 'an expected fact is missing, and a statement is not supported',
};

interface NamedDefinition {
  name: string;
  globalConfig: unknown;
}

const named = definitions.pick('id', 'name', 'globalConfig');
const MAX_VALUE = 60;

/** Returns a function that puts causes into words. */
export function causeTitles(
  database: Database,
  application: number,
  keys: Iterable<string>,
): (key: string) => string {
  const ids = new Set([...keys].flatMap((key) => definitionOf(key) ?? []));
  const known = named.byIds(database, application, ids) as ReadonlyMap<string, NamedDefinition>;
  return (key) => titleOf(key, known.get(definitionOf(key) ?? ''));
}

const definitionOf = (key: string): string | null => {
  const [kind, id] = key.split(':');
  return kind === 'verdict' || kind === 'none' ? (id ?? null) : null;
};

function titleOf(key: string, definition: NamedDefinition | undefined): string {
  const [kind, first = '', ...signature] = key.split(':');
  const name = definition?.name ?? 'A deleted evaluator';
  if (kind === 'failure') {
    const title = FAILURE_TITLES[first as FailureCode] ?? first;
    return signature[0] === undefined ? title : `App error: the webhook responded with ${signature[0]}`;
  }
  if (kind === 'none') {
    if (first === '') return 'No verdict: no evaluator applies';
    return signature[0] === 'SKIPPED'
      ? `No verdict: ${name} had nothing to judge by`
      : `No verdict: ${name} could not judge`;
  }
  const [part = '', type = ''] = signature;
  if (type !== '') return `${name}: ${checkWords(Number(part), type, definition)}`;
  const fact = FACT_TITLES[part];
  return fact === undefined ? `${name}: did not pass` : `${name}: ${fact}`;
}

interface ConfiguredAssertion {
  type?: unknown;
  not?: unknown;
  value?: unknown;
}

/** Checks that look for a text. */
const CONTAINS: ReadonlySet<string> = new Set(['contains', 'icontains']);

/** Returns a check with its value as its definition has them now. */
function checkWords(index: number, type: string, definition: NamedDefinition | undefined): string {
  const { assertions } = (definition?.globalConfig ?? {}) as { assertions?: ConfiguredAssertion[] };
  const check = Array.isArray(assertions) ? assertions[index] : undefined;
  if (check?.type !== type) return `${type} does not hold`;
  const isNegated = check.not === true;
  if (typeof check.value === 'string' && CONTAINS.has(type))
    return `${isNegated ? 'contains' : 'does not contain'} ${shortValue(check.value)}`;
  const value = check.value === undefined ? '' : ` ${shortValue(check.value)}`;
  return `${isNegated ? 'not ' : ''}${type}${value} does not hold`;
}

function shortValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
