/** Makes docs/evaluators.md: what definitions of each type judge, and every check of `ASSERT`. */
import { DEFINITION_TYPES, type DefinitionType } from '../../src/evaluate/definition-config.ts';
import type { Assertion } from '../../src/evaluate/evaluators/assertions/assertion.ts';
import {
  ASSERTION_TYPES,
  ASSERTIONS,
  type AssertionType,
} from '../../src/evaluate/evaluators/assertions/list.ts';
import { REFUSALS } from '../../src/evaluate/evaluators/assertions/refusal.ts';
import { MAX_SETS } from '../../src/evaluate/evaluators/assertions/schema.ts';
import { MAX_ITEMS } from '../../src/evaluate/evaluators/items.ts';

interface TypeText {
  judges: string;
  score: string;
  passes: string;
}

const TYPE_TEXTS: Readonly<Record<DefinitionType, TypeText>> = {
  NATURALNESS: {
    judges: 'a model, of coherence, engagingness, naturalness, relevance and clarity',
    score: '1–5 each',
    passes: 'the mean and each of them ≥ 3.5',
  },
  STYLE: { judges: 'a model, by the style guide of the definition', score: '1–5', passes: '≥ 3.5' },
  RECALL: {
    judges:
      'a model, of context precision, relevancy and recall, faithfulness and answer relevancy, by the documents of the trace',
    score: '0–1 each',
    passes:
      'the mean ≥ 0.5 and each measure reaches its minimum: `globalConfig.minimums`, else 0.5 for faithfulness',
  },
  FACT: {
    judges: 'a model, of the statements of the output, by what is expected',
    score: '0–1, the F1 over the statements',
    passes: '≥ 0.8',
  },
  CUSTOM: { judges: 'a model, by `globalConfig.criterion`: yes or no', score: '0 or 1', passes: 'yes' },
  OUTPUT_MATCH: {
    judges: 'a rule: the output is what is expected, see [below](#output_match)',
    score: '0–1',
    passes: '≥ `passThreshold`, 0.8 unless given',
  },
  ASSERT: {
    judges: 'a rule: checks of the output and of the trace, see [below](#assert)',
    score: '0–1, the mean of the checks by weight',
    passes: '≥ `threshold`; without one, all checks hold',
  },
};

export function evaluatorsPage(): string {
  return `# What definitions judge

This page is generated and tested. A definition has a type, a \`globalConfig\`, and judges the tests of the tasks that it is linked to.

${types()}

The types that a rule judges need no model and no network. They run in threads of their own, in which applications take turns. A rule
that takes longer than 2 seconds – a regular expression may – ends as \`FAILED\` with that reason. After three times within an hour that version
of the definition is suspended: its evals end as \`FAILED\` at once, with the time of the next attempt; a new version lifts the suspension. How
the others are asked is on the page of [judges](judges.md).

Regular expressions are those of JavaScript. Patterns without look-around, back-references, the flags \`i\`, \`u\` and \`v\`, and repetitions above 16
take linear time whatever the text; the others may backtrack until the time limit.

## OUTPUT_MATCH

Compares the output with \`config.expected\` of the link to the task; where that is missing the eval is \`SKIPPED\`.

| \`globalConfig\` | Meaning |
|---|---|
| \`type\` | \`string\` or \`list\` |
| \`extract\` | \`{ pattern, flags, group }\`: a regular expression (JavaScript, some of the flags \`gimsuv\`) that picks what counts out of the output; \`group\` 0, default: the complete match |
| \`matchMode\` | \`exact_unordered\` unless given, or \`contains\` |
| \`scoreMetric\` | of lists: \`f1\` unless given, \`precision\` or \`recall\` |
| \`passThreshold\` | 0 to 1, 0.8 unless given |
| \`ignoreCase\` | upper and lower case are the same; false unless given |

Texts are compared after Unicode NFC – except those with more than 64 combining marks in a row, which stay as they are – and without white space at their ends; what is no text is compared as JSON.

- **\`string\`**: the score is 1 when the output is the expected text (\`contains\`: contains it), else 0. Of several matches of
  \`extract\` the first counts.
- **\`list\`**: a JSON array is a list as it is; any other text is parted at its lines, and bullets and numbers before them are dropped; a
  single line is parted at its commas. Blank items are dropped, and of more than ${MAX_ITEMS} items the first count. \`extract\` with the flag \`g\` makes each
  match an item; without it, the first match is what is parted. The expected list is read the same way.
  - \`exact_unordered\`: precision is the share of found items that are expected, recall the share of expected items that were found; an
    item that stands there twice counts twice.
  - \`contains\`: a found item is right when it contains an expected one, and an expected one is found when some found one contains it.
  - Two empty lists agree; an empty one and another don't.

\`\`\`json
{ "type": "list", "extract": { "pattern": "#(\\\\d+)", "flags": "g", "group": 1 }, "scoreMetric": "recall", "passThreshold": 1 }
\`\`\`

## ASSERT

\`\`\`json
{
  "assertions": [
    { "type": "contains", "value": "Paris" },
    { "type": "is-refusal", "not": true },
    { "type": "rouge-l", "value": "The capital of France is Paris", "threshold": 0.6, "weight": 2 },
    { "type": "assert-set", "threshold": 0.5, "assertions": [{ "type": "latency", "threshold": 2000 }, { "type": "cost", "threshold": 0.01 }] }
  ],
  "threshold": 0.9
}
\`\`\`

- **\`value\`** and **\`threshold\`** of a check are what its row below says. An invalid value is rejected with 422 when the definition is stored.
- **\`weight\`** (1 unless given) is how much the score of a check counts. One of weight 0 is shown and decides nothing.
- **\`not\`** turns a check round: it passes when it does not hold, and its score is 1 − score.
- **\`threshold\`** beside \`assertions\` is the least score that passes; without it, all checks must pass.
- **\`assert-set\`** holds checks of its own, and a \`threshold\`, as a definition does; it counts as one check. Sets may lie ${MAX_SETS} deep.
- A check whose subject **lacks** what it looks at – no output, no cost – fails, turned round or not.
- Where more spans belong to a test than are read, checks that count say so in their reason.
- Types have the names of promptfoo where it has the check; some have two names.

The eval shows each check under \`results.assertions\`: \`{ type, not, weight, score, passed, reason }\`, and of a set its \`assertions\`.

${assertions()}

In patterns of names \`*\` stands for any text and \`?\` for one character; upper and lower case are the same. Names of tools are taken
as they are.

### Refusals

\`is-refusal\` is a heuristic: it knows these phrases and no others, upper or lower case. A model that refuses in other words passes for
one that answers; \`CUSTOM\` asks a model instead.

${refusals()}
`;
}

function types(): string {
  const rows = DEFINITION_TYPES.map((type) => {
    const { judges, score, passes } = TYPE_TEXTS[type];
    return [code(type), judges, score, passes];
  });
  return table(['Type', 'Judged by', 'Score', 'Passes when'], rows);
}

function assertions(): string {
  const named = Map.groupBy(ASSERTION_TYPES, (type): Assertion => ASSERTIONS[type]);
  const rows = [...named].map(([assertion, names]) => [
    namesText(names),
    assertion.passes,
    fieldText(assertion, 'value'),
    fieldText(assertion, 'threshold'),
    assertion.score ?? '1 or 0',
    code(JSON.stringify({ type: names[0], ...assertion.example })),
  ]);
  return table(['Type', 'Passes when', '`value`', '`threshold`', 'Score', 'Example'], rows);
}

const namesText = ([name, ...others]: readonly AssertionType[]): string =>
  [code(name as string), ...others.map((other) => `also ${code(other)}`)].join(', ');

function fieldText({ fields }: Assertion, name: 'value' | 'threshold'): string {
  const schema = fields[name];
  if (!schema) return '–';
  const { description } = schema;
  if (description === undefined) throw new Error(`the page has no words for ${name}`);
  return description;
}

function refusals(): string {
  const rows = Object.entries(REFUSALS).map(([language, phrases]) => [
    language,
    phrases.map(code).join(', '),
  ]);
  return table(['Language', 'Phrases'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
