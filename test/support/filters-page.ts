/** Makes docs/filters.md: the language of filter lines and all of its fields. */
import {
  FILTER_FIELDS,
  type FieldKind,
  FILTER_SCREENS,
  type FilterField,
  filterFieldsOf,
} from '../../src/filter/fields.ts';

const KINDS: Readonly<Record<FieldKind, string>> = {
  text: 'part of a text',
  name: 'complete name',
  choice: 'one of its values',
  error: '`yes`, `no` or part of a text',
  duration: 'limit or range of times',
  dollars: 'limit, range or amount in US dollars',
  count: 'limit, range or number',
  share: 'limit, range or number from 0 to 1',
  length: 'length of time',
  time: 'day or moment',
  field: 'name of a field',
};

const row = (field: FilterField): string => {
  const { name, kind, hint, example, values, hasKey } = field;
  const choices = kind === 'choice' ? `: ${values.map((value) => `\`${value}\``).join(', ')}` : '';
  const screens = FILTER_SCREENS.filter((screen) => filterFieldsOf(screen).includes(field));
  const where = screens.length === FILTER_SCREENS.length ? 'all' : screens.join(', ');
  return `| \`${name}${hasKey ? '.<key>' : ''}\` | ${hint} | ${KINDS[kind]}${choices} | \`${example.replaceAll('|', '\\|')}\` | ${where} |`;
};

export const filtersPage = (): string => `# Filter lines

This page is generated and tested. A filter line finds traces, tests, results and conversations:

\`\`\`
verdict:fail evaluator:"Facts" -model:gpt-4o output:/14 days/ last:24h
\`\`\`

The dashboard has one above each list; the API takes it as the parameter \`q\` of \`GET /v0/traces\`, its facets, stream and export, of \`GET /v0/tests\`,
of \`GET /v0/results\` (for the last side), of the exports of both, and of \`GET /v0/sessions\`. The other parameters of a list combine with it.

| Write | It means |
|---|---|
| \`tag:beta user:ada\` | both terms hold |
| \`model:gpt-4o,gpt-5\` | one of the values |
| \`-tag:beta\` | the term does not hold |
| \`refund\` | the word occurs in input, output or any step |
| \`"money back"\` | the phrase occurs |
| \`output:/14 days?/i\` | the regular expression matches; \`i\` ignores case |
| \`model:gpt-5*\` | \`*\` stands for any characters; in a text, for those of a word |
| \`duration:>2s\`, \`duration:1s..5s\`, \`cost:..0.5\` | limits and ranges, with their bounds |
| \`has:user\` | the field has any value |
| \`user:"a,b"\`, \`user:a\\,b\` | quotes and \`\\\` make a character stand for itself |

Texts are compared as parts, ignoring case; names completely. Names that people write (topics, tasks, evaluators) ignore case too, and may be ids.
Lengths of time have the units \`ms\`, \`s\`, \`m\`, \`h\`, \`d\` and \`w\`; numbers may have \`k\` or \`m\`. Days and moments are in UTC unless they have an
offset. A filter has at most 50 terms.

## Fields

| Field | Finds | Value | Example | Lists |
|---|---|---|---|---|
${FILTER_FIELDS.map(row).join('\n')}

\`errors\` is another name of \`error\`, and \`conversation\` of \`session\`. For tests and results, \`name\` is the title of the task, \`input\` the prompt,
\`tag\` a tag of the task, \`error\` a failure of the test, and \`last\`, \`from\` and \`to\` its start; words are looked for in the prompt, the failure, and
what lists show of its traces. Fields of traces find tests with such a trace.

\`verdict\`, \`evaluator\` and \`score\` in one line are about one verdict: \`verdict:fail evaluator:"Facts"\` is a failed verdict of Facts. A field that occurs
again begins another verdict. A negated term stands alone: \`-verdict:fail\` finds what has no failed verdict. Conversations are found by their traces: all
terms must hold for one of them.

## What is searched

Words without a field, \`text\`, \`tool\`, \`version\`, and \`error\` with a text are about the steps of a trace, which have no index. The newest traces that meet
the other terms are searched, at most 20 000 traces, 32 MiB of stored bytes and two seconds. The response says what was searched:

\`\`\`json
{ "searched": { "from": "2026-11-12T08:00:00.000Z", "to": "2026-11-27T10:00:00.000Z", "isComplete": false } }
\`\`\`

If \`isComplete\` is false, words were looked for in older traces only where lists show their texts, and other such terms find no older ones. \`to:\` with the
time in \`from\` searches them; \`last:24h\` or another field makes the search narrower. An export searches until its end. Masked texts are searched as they are
stored.

Regular expressions are those that run in linear time: without look-around, back-references and large repetitions. The flags are \`i\`, \`s\` and \`m\`.

## Faults

A line that cannot be parsed is never searched as text: the response is 422, with the place of each fault in characters and, where one is obvious, the text
that would be right there.

\`\`\`json
{
  "message": "Invalid request: q: Unknown field “metdata”",
  "issues": [
    {
      "code": "custom",
      "path": ["q"],
      "start": 0,
      "end": 19,
      "message": "Unknown field “metdata”",
      "suggestion": "metadata.channel:app"
    }
  ]
}
\`\`\`

\`GET /v0/filter/suggest?screen=traces&q=mod&cursor=3\` returns how the term at the cursor may continue.
`;
