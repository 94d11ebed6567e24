import {
  type CorrectedDefinition,
  countOf,
  type TestFinding,
  isJudged,
  type RateWithInterval,
  type Report,
  type TaskReport,
  type TestReport,
} from '../resources/run-sets/report.ts';

const MAX_PROMPT = 120;

/**
 * Formats the report as JUnit XML for CI systems: a suite per task, a case per test. `problem`, the reason why tests
 * are missing, becomes a case of its own.
 */
export function junitXml(
  { tasks }: Report,
  { problem, runSetId }: { problem: string | null; runSetId: string | null },
): string {
  const suites = tasks.filter(({ tests }) => tests.length > 0).map((task) => suiteOf(task, runSetId));
  if (problem !== null) suites.push(problemSuite(problem));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="touchstone">\n${suites.join('')}</testsuites>\n`;
}

function suiteOf({ task, tests, rate, corrected }: TaskReport, runSetId: string | null): string {
  const numbers = {
    tests: tests.length,
    failures: countOf(tests, 'failed'),
    errors: countOf(tests, 'error'),
    skipped: countOf(tests, 'skipped'),
    time: Math.max(...tests.map(({ seconds }) => seconds)).toFixed(3),
  };
  const properties = [
    property('taskId', task.id),
    ...(runSetId === null ? [] : [property('runSetId', runSetId)]),
    property('coverage', `judged ${tests.filter(isJudged).length} of ${tests.length}`),
    ...(rate === null ? [] : rateProperties(rate)),
    ...corrected.flatMap(correctedProperties),
  ];
  return [
    `  <testsuite ${attributes({ name: task.title, ...numbers })}>\n`,
    `    <properties>${properties.join('')}</properties>\n`,
    ...tests.map((test, index) => caseOf(task.title, test, index)),
    '  </testsuite>\n',
  ].join('');
}

const rateProperties = ({ rate, low, high, question, examples }: RateWithInterval): string[] => [
  property('passRate', String(rate)),
  property('passRateLow', String(low)),
  property('passRateHigh', String(high)),
  property('question', question),
  property('examples', String(examples)),
];

const correctedProperties = ({ name, rate, corrected }: CorrectedDefinition): string[] => [
  property(`${name}: passRate`, String(rate)),
  property(`${name}: correctedPassRate`, String(corrected.rate)),
  property(`${name}: correctedPassRateLow`, String(corrected.low)),
  property(`${name}: correctedPassRateHigh`, String(corrected.high)),
];

function caseOf(
  classname: string,
  { id, prompt, seconds, verdict, findings }: TestReport,
  index: number,
): string {
  const shown = prompt.length > MAX_PROMPT ? `${prompt.slice(0, MAX_PROMPT)}…` : prompt;
  const opening = `    <testcase ${attributes({ classname, name: `${index + 1}: ${shown}`, time: seconds.toFixed(3) })}>`;
  const content = [`<properties>${property('testId', id)}</properties>`, ...outcomeOf(verdict, findings)];
  return `${opening}${content.join('')}</testcase>\n`;
}

/** Orders the output of a test: failures first, everything else after them. */
function outcomeOf(verdict: TestReport['verdict'], findings: readonly TestFinding[]): string[] {
  const [first, ...rest] = findings.filter(({ kind }) => kind === verdict);
  const others = findings.filter(({ kind }) => kind !== verdict);
  const said = others.map((finding) => `${finding.kind}: ${sentence(finding)}`).join('\n');
  const beside = said === '' ? [] : [`<system-out>${escapeXml(said)}</system-out>`];
  if (verdict === 'passed') return beside;
  if (verdict === 'skipped')
    return [
      `<skipped ${attributes({ message: first ? sentence(first) : 'No definition applies.' })}/>`,
      ...beside,
    ];
  const tag = verdict === 'failed' ? 'failure' : 'error';
  const message = first ? sentence(first) : '';
  const all = first ? [first, ...rest].map(sentence).join('\n') : '';
  return [
    `<${tag} ${attributes({ message, type: first?.name ?? '' })}>${escapeXml(all)}</${tag}>`,
    ...beside,
  ];
}

const sentence = ({ name, reason }: TestFinding): string => (reason === '' ? name : `${name}: ${reason}`);

const problemSuite = (message: string): string =>
  [
    '  <testsuite name="touchstone test" tests="1" failures="0" errors="1" skipped="0">\n',
    `    <testcase classname="touchstone test" name="run"><error ${attributes({ message })}/></testcase>\n`,
    '  </testsuite>\n',
  ].join('');

const property = (name: string, value: string): string => `<property ${attributes({ name, value })}/>`;

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for content and attributes. Characters that XML 1.0 cannot represent are replaced. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string)
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
