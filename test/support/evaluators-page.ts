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
import { MAX_COMPARED_ITEMS } from '../../src/evaluate/evaluators/items.ts';
import { LABELLED } from '../detect/labelled.ts';

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
  CUSTOM: {
    judges: 'a model, by `globalConfig.criterion`: yes or no, or on a [scale of your own](#custom)',
    score: '0 or 1; with `scale`, on that scale',
    passes: 'yes; with `scale`, ≥ `passThreshold`',
  },
  TOXICITY: {
    judges: 'a model, of insults, hate, threats, sexual content, self-harm and means for serious harm',
    score: '1–5: 6 minus the greatest severity',
    passes: '≥ 4: nothing is more than barely noticeable',
  },
  SIMILARITY: {
    judges:
      'an embedding model, by what is expected; of a list of texts the most similar one counts. With `exampleRubric: "own"`, by the text that the example has under the name of the definition in `rubrics`',
    score: '0–1, the cosine',
    passes: '≥ `passThreshold`, 0.8 unless given',
  },
  CONVERSATION: {
    judges: 'a model: did the user reach their goal, see [below](#conversation)',
    score: '1, 0.5 or 0: reached, partly, not',
    passes: 'reached, within `maxTurns`',
  },
  PAIRWISE: {
    judges: 'a model, by comparison with a baseline run, in both orders, see [below](#pairwise)',
    score: '1, 0.5 or 0: win, tie, loss',
    passes: 'it did not lose',
  },
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
  HTTP: {
    judges: 'your own endpoint, see [below](#http)',
    score: '0–1',
    passes: 'the endpoint says so; else ≥ `passThreshold`, 0.5 unless given',
  },
};

export function evaluatorsPage(): string {
  return `# What definitions judge

This page is generated and tested. A definition has a type, a \`globalConfig\`, and judges the tests of the tasks that it is linked to.

${types()}

The types that a rule judges need no model and no network. They run in threads of their own, in which applications take turns. A rule
that takes longer than 2 seconds – a regular expression may – ends as \`FAILED\` with that reason. After three times within an hour that version
of the definition is suspended: its evals end as \`FAILED\` at once, with the time of the next attempt; a new version lifts the suspension. How
models are asked is on the page of [judges](judges.md).

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

Texts are compared after Unicode NFC – except those with more than 64 combining marks in a row, which stay as they are – and without white space at their ends. What is expected and no text is
compared as JSON: the order of members does not count, and \`1.0\` is \`1\`.

- **\`string\`**: the score is 1 when the output is the expected text (\`contains\`: contains it), else 0. A list of expected values stands for
  alternatives: one of them is enough. Of several matches of
  \`extract\` the first counts.
- **\`list\`**: a JSON array is a list as it is; any other text is parted at its lines, and bullets and numbers before them are dropped; a
  single line is parted at its commas. Blank items are dropped, and of more than ${MAX_COMPARED_ITEMS} items the first count. \`extract\` with the flag \`g\` makes each
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
- **\`threshold\`** beside \`assertions\` is the least score that passes; without it, all checks must pass. Thresholds with which every output would pass are rejected.
- **\`exampleAssertions\`**: \`true\` applies the \`assertions\` of the [example](examples.md) of the test too, after those of the definition, which then needs none. Without any check the eval
  is \`SKIPPED\`.
- **\`assert-set\`** holds checks of its own, and a \`threshold\`, as a definition does; it counts as one check. Sets may lie ${MAX_SETS} deep.
- A check whose subject **lacks** what it looks at – no output, no cost – fails, turned round or not.
- A check that **cannot decide**, such as \`language\` on a short text, does not count: its weight is 0, and \`undecided\` is true. Without another check the eval is \`SKIPPED\`.
- Where more spans belong to a test than are read, checks that count say so in their reason.
- Types have the names of promptfoo where it has the check; some have two names.

The eval shows each check under \`results.assertions\`: \`{ type, not, weight, score, passed, reason }\`, and of a set its \`assertions\`.

${assertions()}

In patterns of names \`*\` stands for any text and \`?\` for one character; upper and lower case are the same. Names of tools are taken
as they are.

### Refusals

\`is-refusal\` is a heuristic: it knows these phrases and no others, upper or lower case, except before “but” as in “I can't help but …”. A model that refuses in other words passes for
one that answers; \`CUSTOM\` asks a model instead.

${refusals()}

### Personal data

\`no-pii\` detects by form and by check digits, in time proportional to the length of the text:

| Kind | Detected | Not detected |
|---|---|---|
| \`email\` | \`name@domain.tld\`, in any script | quoted names, hosts without a domain |
| \`phone\` | numbers with a country code; national ones that begin with 0 and have a separator; North American ones with separators | numbers without separators or country code; extensions |
| \`card\` | numbers of the seven large networks, with their prefix, length and check digit (Luhn) | truncated or masked numbers |
| \`iban\` | account numbers with the length of their country and their check digits (mod 97) | other numbers of accounts |
| \`secret\` | keys of OpenAI, Anthropic, AWS, Google, GitHub, GitLab, Slack, Stripe, SendGrid, Hugging Face, npm and Touchstone; private keys, JSON Web Tokens; values named \`password\`, \`api_key\`, \`Bearer\` and the like that mix letters and digits | other random texts |

It detects no names, addresses or dates of birth: those need a model. Precision and recall are 100 % on the labelled texts in the repository
(test/detect/labelled.ts, ${LABELLED.length} texts with ${LABELLED.flatMap(({ expected }) => expected).length} places), which were written beside the detectors; expect less on other
texts. In the 8.7 MB of sources and documentation of this repository, 43 of 45 different findings were right.

## CUSTOM

Without a scale, the judge answers whether the output meets the criterion. It sees output, input, tool calls, documents and \`expected\` of the test's
[example](examples.md), where there is one. It sees the \`rubric\` of the example too, or that of its own name in \`rubrics\`. With a scale it rates.

\`\`\`json
{
  "criterion": "The answer solves the customer's problem with the policies of the shop.",
  "scale": {
    "min": 1,
    "max": 4,
    "anchors": [
      { "score": 1, "description": "wrong, or no answer to the question" },
      { "score": 3, "description": "right, but a step is missing" },
      { "score": 4, "description": "right and complete" }
    ]
  },
  "passThreshold": 3
}
\`\`\`

| \`globalConfig\` | Meaning |
|---|---|
| \`criterion\` | what is judged, required without a preset |
| \`scale\` | \`min\` (worst) and \`max\` (best), whole numbers from −100 to 100; \`anchors\` say what scores mean, at most 21, and are optional |
| \`passThreshold\` | lowest score that passes; required with a scale, and may lie between two scores |
| \`steps\` | with a scale: 1 to 20 steps that the judge goes through before it rates |
| \`exampleRubric\` | \`any\`: only tests whose example has a rubric for the definition are judged; \`own\`: only those whose example has one under its name in \`rubrics\`. Others are \`SKIPPED\`. Without it, a rubric is an addition |
| \`preset\` | one of the presets below |

With repeats the score is the mean, and the majority of them decides whether it passes.

| \`preset\` | The judge decides | \`criterion\` |
|---|---|---|
| \`closed-qa\` | whether an answer meets the criterion, by \`expected\`, rubric and documents alone | unless given: correct and complete |
| \`factuality\` | how the facts of the output relate to those of \`expected\`: \`subset\`, \`superset\`, \`equal\`, \`disagreement\` or \`immaterial\` (\`category\` in \`results\`). All but \`disagreement\` score 1; \`categoryScores\` such as \`{"subset":0.5}\` changes that, and \`passThreshold\` (0.5) is the lowest score that passes. \`SKIPPED\` without \`expected\` | adds to the comparison |
| \`tool-choice\` | whether the tool calls are those that the input needs, with right arguments; also without an output | unless given: every call is needed and right, and none is missing |
| \`trajectory\` | whether the steps (spans) and tool calls lead to the goal; also without an output | unless given: the goal of the input is reached |
| \`g-eval\` | by the \`scale\`, after it has written its own steps from the criterion (\`steps\` in \`results\`), as in G-Eval (Liu et al., 2023): two requests | required |

## CONVERSATION

The subject is a test with all its turns instead of one answer: each of its traces, in their order, is one turn, at most the last 50. An app that plays a
complete dialogue for one test sends a trace for each turn, all with the id of the test.

A live session is judged once it is idle, if \`monitoring\` samples it:

\`\`\`json
{ "criterion": "The customer has a solution.", "monitoring": { "sampleRate": 0.1, "idleTimeoutMs": 600000 } }
\`\`\`

The definition must be linked to the application. Which sessions are judged depends on their ids alone: the same ones at every turn. A session is idle when no
span of its last 50 traces has arrived for \`idleTimeoutMs\`. The evals belong to its last trace (\`GET /v0/evals?traceId=\`, \`lastTraceId\` of
\`GET /v0/sessions/{id}\`); its turns are the traces of the session up to that one. After further turns the session is judged again when it is idle again, and the earlier verdict
remains with its trace. A turn that arrives late but started earlier gives the verdict a new version. The same turns are never judged twice. Later spans of the
turns alone cause no new verdict, and sessions whose last trace belongs to a test are left to the test. At most 50 000 sessions of an application wait; further ones
are dropped until their next turn (\`touchstone_monitored_sessions_total\`).

\`POST /v0/sessions/{id}/evaluate\` judges a session at once, whether it is sampled or not. It applies the definitions of the application that read turns: \`CONVERSATION\`, and
\`HTTP\` with \`turns\` in \`send\`. Monitoring applies the latter to each trace, with the turns so far. Deleting a trace deletes the texts that evals of its session quote.

| \`globalConfig\` | Meaning |
|---|---|
| \`criterion\` | the goal, and what counts as reaching it; unless given, the goal that the turns show |
| \`maxTurns\` | 1 to 50: a longer conversation fails, even if it reached the goal |
| \`monitoring\` | \`sampleRate\`: share of live sessions that are judged, 0 to 1. \`idleTimeoutMs\`: 1000 to 604800000 (a week), 600000 (ten minutes) unless given |

\`results\` has \`goal\`, \`reached\`, \`rationale\` and the number of \`turns\`. \`expected\` of the example or the link is shown to the judge as the expected outcome.

## PAIRWISE

Compares two runs output by output: each test with the test of the same example and prompt in a baseline run. The judge sees both outputs without their origin,
the input, the rubric and \`expected\` of the example, and is asked twice, the second time with the order swapped. Only a preference that survives the swap
is a win or a loss; everything else is a tie. A judge that chose the same place twice in more than half of its votes has not judged the outputs: the eval is
\`FAILED\` with \`judge_inconsistent\`, and does not pass.

\`\`\`json
{ "baselineRunIds": ["7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"], "criterion": "The better answer solves the problem with fewer questions back." }
\`\`\`

| \`globalConfig\` | Meaning |
|---|---|
| \`baselineRunIds\` | the runs to compare with, required; a run has the tests of one task |
| \`criterion\` | what makes an output better; unless given: right, complete and to the point |
| \`selectBest\` | true to select the best of n outputs: those of the example in each of the runs, at most 8, and the judged one. The judge sees them twice, in opposite orders. Only the output that is best both times passes; \`results\` has the number of \`outputs\` and \`candidateTestIds\` |

A win scores 1, a tie 0.5, a loss 0. Ties pass, so the pass rate of a run is the share that is not worse than the baseline, and its mean score the rate of wins with
ties counted half. \`results\` has \`outcome\`, both rationales, \`isConsistent\` (false if the judge chose the same place twice, which is a bias of the
judge, not a difference) and \`baselineTestId\`. If a run tested an example several times, the first test is compared with the first, and so on. To compare
runs that have ended, set \`baselineRunIds\` and call \`POST /v0/runs/{id}/evaluate\`. Without a completed test in the baseline, the eval is \`SKIPPED\`.

${httpSection()}
`;
}

function httpSection(): string {
  return `## HTTP

Your own code is the judge: Touchstone sends the test to an endpoint, which returns the score. [examples/scorer](../examples/scorer) has one in
Python and one in TypeScript.

\`\`\`json
{ "url": "https://scorer.example.com/grounded", "timeoutMs": 10000, "passThreshold": 0.8, "parameters": { "language": "de" } }
\`\`\`

| \`globalConfig\` | Meaning |
|---|---|
| \`url\` | the endpoint. The rules for the webhook apply: https, and no private address unless the operator allows it. Put no secret into it: everybody who reads the definition sees it |
| \`timeoutMs\` | 1000 to 60000, for all tries together; 10000 unless given |
| \`passThreshold\` | 0 to 1, 0.5 unless given; counts when the response has no \`passed\` |
| \`send\` | parts of the test that are sent: \`input\`, \`output\`, \`toolCalls\` and \`documents\` unless given; also \`turns\` (\`{ input, output }\` of each turn of a test or a session, see [below](#conversation)), \`spans\`, \`latencyMs\`, \`usage\`, \`cost\`. A late span that changes one of them causes a new verdict |
| \`parameters\` | an object of your own, sent as it is |

The endpoint gets a \`POST\` with JSON of at most 4 MiB. \`expected\` is that of the example, else of the link; \`rubric\` that of the example; absent values are null:

\`\`\`json
{
  "type": "score",
  "id": "0b0c2f6e-…",
  "testId": "7f1d8a52-…",
  "traceId": "5b8aa5a2d2c872e8321cf37308d69df2",
  "definition": { "id": "3c9e…", "name": "Grounded", "version": 1 },
  "parameters": { "language": "de" },
  "expected": null,
  "rubric": "Names the number of days.",
  "input": "How long can I return a chair?",
  "output": "Within 30 days.",
  "toolCalls": [{ "name": "policy", "arguments": { "topic": "returns" }, "result": "30 days", "isError": false }],
  "documents": [{ "id": "returns.md", "content": "Returns within 30 days.", "score": 0.92 }],
  "isTruncated": false
}
\`\`\`

It responds with 200 and JSON of at most 64 KiB:

\`\`\`json
{ "score": 0.75, "passed": true, "reason": "3 of 4 numbers are in the documents", "results": { "missing": ["45"] }, "cost": 0.0004 }
\`\`\`

| Field | Meaning |
|---|---|
| \`score\` | 0 to 1, required |
| \`passed\` | the verdict, if the threshold shall not decide |
| \`reason\`, \`results\` | shown with the eval |
| \`cost\` | US dollars that the call cost you. \`GET /v0/evals/costs\` counts them; the cost limits of judges do not |
| \`skip\` | instead of \`score\`: the reason why there is no verdict. The eval ends as \`SKIPPED\` |

- **Signature**: every request is signed with the secret of the application's webhook, in the headers of a delivery: \`webhook-id\`,
  \`webhook-timestamp\` and \`webhook-signature\` of Standard Webhooks, and \`x-service-signature\`. After a rotation both secrets sign for a day. The
  webhook may be disabled; without one the eval is \`SKIPPED\`.
- **Retries**: 408, 409, 429, 5xx, time-outs and broken connections are retried, up to four tries within \`timeoutMs\`, after the pause in
  \`Retry-After\`. \`webhook-id\` is the id of the eval in every try, also after a crash of the server, so an endpoint can recognise repetitions.
- **Failures** end the eval, not the test, as \`FAILED\`: \`scorer_unreachable\`, \`scorer_timeout\`, \`scorer_refused\` (any other status; redirects are not
  followed), \`scorer_bad_answer\`, \`scorer_too_large\`.
- **Its verdicts always decide**, as those of rules do: whether your endpoint asks a model is unknown here. \`repeats\` has no effect.
- At most 64 requests are in progress at once, and 32 of one application.`;
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
