/** Makes docs/conventions.md: what the rules say, and what becomes of what instrumentations send. */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../src/traces/conventions/message.ts';
import { type Field, FIELDS } from '../../src/traces/conventions/rule.ts';
import {
  type CompiledRule,
  RULE_SET_VERSION,
  rulesOfField,
  VOCABULARIES,
} from '../../src/traces/conventions/rule-set.ts';
import { PRICES_DATE } from '../../src/traces/prices/table.ts';
import type { JsonValue } from '../../src/traces/span-wire.ts';
import { OF_INSTRUMENTATIONS } from '../instrumentations/apps.ts';
import type { AppPicture, SpanPicture, TracePicture } from '../instrumentations/picture.ts';
import { FIELD_MEANINGS, introduction, SENDERS, VOCABULARY_NAMES } from './conventions-texts.ts';
import { transcript } from './transcript.ts';

const MAX_VALUE = 160;
const MAX_CONVERSATION = 320;

/** Fields that are mostly the same on all spans of a trace. */
const COMMON_FIELDS: ReadonlySet<Field> = new Set<Field>([
  'provider',
  'agentName',
  'sessionId',
  'userId',
  'tags',
  'environment',
  'metadata',
]);

/** `recorded` is the section about recorded applications. */
export function conventionsPage(pictures: readonly AppPicture[], recorded: string): string {
  return `${[introduction(RULE_SET_VERSION, PRICES_DATE), vocabularies(), fields(), kinds(), recorded, applications(pictures)].join('\n\n')}\n`;
}

function vocabularies(): string {
  const rows = VOCABULARIES.map(({ name }) => {
    const meaning = VOCABULARY_NAMES[name];
    if (meaning === undefined) throw new Error(`the page has no words for ${name}`);
    return [code(name), meaning];
  });
  return `## Vocabularies\n\n${table(['Name', 'Whose'], rows)}`;
}

function fields(): string {
  const rows = FIELDS.map((field) => [
    code(field),
    FIELD_MEANINGS[field],
    rulesOfField(field)
      .map(({ key, vocabulary }) => `${code(key)} ${vocabulary}`)
      .join('<br>'),
  ]);
  return `## Fields

Of several keys on one span the first of this table counts. \`a.*\` stands for every key that begins with \`a.\`; \`a.#\` for a list that
was flattened into keys, \`a.0.…\`, \`a.1.…\`; \`event a\` for a span event of that name, or a log record that names the span
or, without a span, its \`gen_ai.response.id\`.

${table(['Field', 'Meaning', 'Keys, and their vocabulary'], rows)}`;
}

function kinds(): string {
  const rows = rulesOfField('kind').flatMap((rule) =>
    [...valuesByKind(rule)].map(([kind, values], i) => [
      i === 0 ? `${code(rule.key)} ${rule.vocabulary}` : '',
      values.length === 0 ? 'any' : values.map((value) => code(value)).join(', '),
      code(kind),
    ]),
  );
  return `## Kinds

What a span is for. The first key that has one of its values counts; a span that none of them matches, but that names a model, is
\`LLM\`, and any other \`SPAN\`.

${table(['Key', 'Value', 'Kind'], rows)}`;
}

function valuesByKind({ kinds: given = {} }: CompiledRule): Map<string, string[]> {
  if (typeof given === 'string') return new Map([[given, []]]);
  return Map.groupBy(Object.keys(given), (value) => given[value] as string);
}

function applications(pictures: readonly AppPicture[]): string {
  return `## What instrumentations send

Each of these applications runs the same scenario: it asks a model about the weather in Paris, the model calls a tool, answers, and is
thanked; some look for a document first. They ran against a model that always gives the same answers, and the tables show what the
server then held. Values are truncated; \`<…>\` stands for what differs from run to run. Messages are written as a transcript, with
thoughts in brackets. Where a span arrives again, only what is new is shown.

${pictures.map(application).join('\n\n')}`;
}

function application({ app, traces }: AppPicture): string {
  const sender = SENDERS[app];
  if (!sender) throw new Error(`the page has no words for ${app}`);
  const { title, packages } = sender;
  const versions = packages.map(versionOf);
  const from =
    versions.length === 0 ? 'Made by hand, as these conventions have it.' : `With ${versions.join(' and ')}.`;
  const sections = traces.map((trace, i) => spansOf(trace, traces.length === 1 ? '' : `Trace ${i + 1}`));
  return [`### ${title}`, from, summary(traces), ...sections].join('\n\n');
}

/** `npm:ai@6.0.326` is the package `ai` under another name. */
function versionOf(name: string): string {
  const version = OF_INSTRUMENTATIONS.packages[name];
  if (version === undefined) throw new Error(`${name} is not in the package.json of the instrumentations`);
  const [, real = name, exact = version] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
  return `${code(real)} ${exact}`;
}

function summary(traces: readonly TracePicture[]): string {
  const row = (name: string, show: (trace: TracePicture) => string): string[] => [name, ...traces.map(show)];
  const shown = (value: unknown): string => (value === null ? '–' : code(textOf(value)));
  const rows = [
    row('Input', ({ input }) => shown(input)),
    row('Output', ({ output }) => shown(output)),
    row('Models', ({ models }) => models.map((model) => code(model)).join(', ')),
    row('Tokens', ({ usage }) => tokens(usage)),
    row('Cost', ({ cost, costEstimated }) =>
      cost === null ? '–' : `${money(cost)}${costEstimated ? ', estimated' : ''}`,
    ),
    row('Session, user', ({ sessionId, userId }) => `${shown(sessionId)}, ${shown(userId)}`),
    row('Tags', ({ tags }) => tags.map((tag) => code(tag)).join(', ') || '–'),
    row('Environment', ({ environment }) => shown(environment)),
    row('Metadata', ({ metadata }) => shown(metadata)),
    row('Flags', ({ flags }) => flags.map((flag) => code(flag)).join(', ') || '–'),
  ].filter(([, ...cells]) => cells.some((cell) => cell !== '–'));
  const names = traces.map((_, i) => (traces.length === 1 ? 'The trace' : `Trace ${i + 1}`));
  return table(['', ...names], rows);
}

function tokens(usage: Readonly<Record<string, number>>): string {
  const {
    promptTokens = 0,
    completionTokens = 0,
    cacheReadTokens = 0,
    cacheWriteTokens = 0,
    reasoningTokens = 0,
  } = usage;
  const details = [
    [cacheReadTokens, 'from the cache'],
    [cacheWriteTokens, 'into the cache'],
    [reasoningTokens, 'of reasoning'],
  ].flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
  return [`${promptTokens} in, ${completionTokens} out`, ...details].join('; ');
}

/** A row of a span's table. */
interface Shown {
  key: string;
  field: Field;
  value: string;
}

interface Section {
  title: string;
  rows: readonly Shown[];
  unmapped: readonly string[];
  notes: readonly string[];
}

/** The spans of a trace. What all of them have in common stands there once, and so does what those of a name have. */
function spansOf({ spans }: TracePicture, name: string): string {
  const tree = spans
    .map(({ name: span, kind, depth }) => `${'  '.repeat(depth)}${span} (${kind})`)
    .join('\n');
  const common: Section = {
    title: 'On every span',
    rows: inAll(spans.map(shownFields)).filter(({ field }) => COMMON_FIELDS.has(field)),
    unmapped: inAll(spans.map(({ mapped }) => mapped.unmapped)),
    notes: [],
  };
  const sections = spans.map((span, i) => {
    const alike = spans.slice(0, i).findLast((other) => other.name === span.name && other.kind === span.kind);
    return ownSection(span, common, alike ?? null);
  });
  return [
    ...(name === '' ? [] : [`#### ${name}`]),
    `\`\`\`text\n${tree}\n\`\`\``,
    ...(common.rows.length + common.unmapped.length === 0 ? [] : [sectionText(common)]),
    ...sections.map(sectionText),
  ].join('\n\n');
}

/**
 * Returns a section without entries that are already shown: on every span, or on the previous span of the same name.
 */
function ownSection(span: SpanPicture, common: Section, alike: SpanPicture | null): Section {
  const { unmapped, warnings } = span.mapped;
  const rows = without(shownFields(span), common.rows);
  const before = alike === null ? [] : without(shownFields(alike), common.rows);
  const lost = before.filter(({ field }) => !rows.some((row) => row.field === field));
  return {
    title: alike === null ? code(span.name) : `${code(span.name)} – as the one above, but for:`,
    rows: without(rows, before),
    unmapped: without(without(unmapped, common.unmapped), alike?.mapped.unmapped ?? []),
    notes: [
      ...(lost.length === 0 ? [] : [`Not there: ${lost.map(({ field }) => field).join(', ')}.`]),
      ...without(warnings, alike?.mapped.warnings ?? []).map((warning) => `Warning: ${warning}.`),
    ],
  };
}

function sectionText({ title, rows, unmapped, notes }: Section): string {
  const cells = rows.map(({ key, field, value }) => [code(key), field, code(value, MAX_CONVERSATION)]);
  const said = [
    ...(unmapped.length === 0 ? [] : [`Unmapped: ${unmapped.map((key) => code(key)).join(', ')}.`]),
    ...notes,
  ];
  return [
    `**${title}**`,
    ...(cells.length === 0 ? [] : [table(['Came in', 'Field', 'Shown as'], cells)]),
    ...(said.length === 0 ? [] : [said.join(' ')]),
  ].join('\n\n');
}

/** Returns the items that all of several lists contain; an empty list for a single one. */
function inAll<T>(lists: readonly (readonly T[])[]): T[] {
  const [first = [], ...others] = lists;
  return others.length === 0 ? [] : first.filter((one) => others.every((list) => has(list, one)));
}

const without = <T>(list: readonly T[], other: readonly T[]): T[] => list.filter((one) => !has(other, one));
const has = (list: readonly unknown[], one: unknown): boolean =>
  list.some((other) => isDeepStrictEqual(other, one));

function shownFields({ mapped }: SpanPicture): Shown[] {
  return FIELDS.flatMap((field) => {
    const given = mapped.fields[field];
    return given ? [{ key: given.from, field, value: shownValue(field, given.value) }] : [];
  });
}

function shownValue(field: Field, value: JsonValue): string {
  if (field === 'cost') return money(value as number);
  return isMessages(value) ? transcript(value).join(' / ') : cut(textOf(value), MAX_VALUE);
}

function isMessages(value: unknown): value is Message[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one: Partial<Message>) => Array.isArray(one.parts))
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** All digits, without an exponent. */
const money = (dollars: number): string => `$${dollars.toFixed(12).replace(/\.?0+$/, '')}`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Text in a table as it is: no Markdown, no HTML, no line break, no end of the cell. */
function code(text: string, max = MAX_VALUE): string {
  const line = cut(text.replaceAll(/\s+/g, ' ').trim(), max).replaceAll('|', '\\|');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const gap = line === '' || /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
