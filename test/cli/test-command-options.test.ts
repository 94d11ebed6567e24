import { describe, expect, it } from 'vitest';
import { readTestOptions } from '../../src/cli/test-options.ts';

const ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const ENV = { TOUCHSTONE_API_KEY: 'sk_key', TOUCHSTONE_APPLICATION_ID: ID };

describe('readTestOptions', () => {
  it('has defaults for the rest', () => {
    expect(readTestOptions(['--tasks', 'all'], ENV)).toEqual({
      tasks: [{ by: 'all' }],
      repeat: 1,
      failUnder: 100,
      isStrict: false,
      question: 'EXAMPLES_LIKE_THESE',
      equalTasks: false,
      withAdvisory: false,
      allowSkipped: 0,
      margin: null,
      minPaired: 80,
      findLoss: 50,
      examples: {},
      promptSeed: null,
      baseline: null,
      rejudgesBaseline: false,
      title: null,
      provenance: { commit: null, branch: null, pullRequest: null, author: null, buildUrl: null },
      markdown: null,
      untilSure: null,
      junit: null,
      isJson: false,
      timeoutMs: 900_000,
      account: { baseUrl: 'http://127.0.0.1:4318', apiKey: 'sk_key', applicationId: ID },
    });
  });

  it('takes all that is given; a flag wins over its variable', () => {
    const args =
      `--tasks ${ID.toUpperCase()},topic:${ID},tag:${ID},${ID.toUpperCase()} --repeat=100 --fail-under 92.5 --strict --baseline ${ID}
      --no-regression --margin 2 --allow-skipped 3 --examples split:test,split:dev --prompt-seed 7
      --junit out.xml --markdown out.md --commit abc --branch main --title Build --timeout 2h --url https://x.example/base/v1/traces --api-key other --application-id mine`.split(
        /\s+/,
      );
    expect(readTestOptions(args, { ...ENV, TOUCHSTONE_URL: 'http://y.example' })).toEqual({
      tasks: [
        { by: 'id', id: ID },
        { by: 'topic', id: ID },
        { by: 'tag', id: ID },
      ],
      repeat: 100,
      failUnder: 92.5,
      isStrict: true,
      question: 'EXAMPLES_LIKE_THESE',
      equalTasks: false,
      withAdvisory: false,
      allowSkipped: 3,
      margin: 2,
      minPaired: 80,
      findLoss: 50,
      examples: { splits: ['test', 'dev'] },
      promptSeed: 7,
      baseline: ID,
      rejudgesBaseline: false,
      title: 'Build',
      provenance: { commit: 'abc', branch: 'main', pullRequest: null, author: null, buildUrl: null },
      markdown: 'out.md',
      untilSure: null,
      junit: 'out.xml',
      isJson: false,
      timeoutMs: 7_200_000,
      account: { baseUrl: 'https://x.example/base', apiKey: 'other', applicationId: 'mine' },
    });
  });

  const tasks = 'task ids, all, topic:ID or tag:ID, separated by commas';
  const timeout = '--timeout must be a duration such as 90s, 15m or 1h, at most 24 hours; got';
  it.each<[string[], string]>([
    [[], `test needs --tasks: ${tasks}.`],
    [['--tasks', 'some'], `--tasks must be ${tasks}, not "some".`],
    [['--tasks', `run:${ID}`], `--tasks must be ${tasks}, not "run:${ID}".`],
    [['--tasks', ','], `--tasks must be ${tasks}; 1 to 1000 of them.`],
    [['--tasks', 'all', '--repeat', '0'], '--repeat must be a number from 1 to 100, not "0".'],
    [['--tasks', 'all', '--repeat', '1.5'], '--repeat must be a number from 1 to 100, not "1.5".'],
    [['--tasks', 'all', '--fail-under', '101'], '--fail-under must be a number from 0 to 100, not "101".'],
    [['--tasks', 'all', '--fail-under', ''], '--fail-under must be a number from 0 to 100, not "".'],
    [['--tasks', 'all', '--timeout', '15'], `${timeout} "15".`],
    [['--tasks', 'all', '--timeout', '0m'], `${timeout} "0m".`],
    [['--tasks', 'all', '--timeout', '25h'], `${timeout} "25h".`],
    [
      ['--tasks', 'all', '--baseline', 'x'],
      '--baseline must be the id of a run set, previous, branch:NAME, or 1 to 1000 ids of runs separated by commas; got "x".',
    ],
    [
      ['--tasks', 'all', '--baseline', ''],
      '--baseline must be the id of a run set, previous, branch:NAME, or 1 to 1000 ids of runs separated by commas; got "".',
    ],
    [['--tasks', 'all', '--max', '5'], '--max needs --until-sure.'],
    [['--tasks', 'all', '--until-sure'], '--until-sure needs --fail-under between 0 and 100'],
    [
      ['--tasks', 'all', '--until-sure', '--fail-under', '90', '--strict'],
      '--until-sure cannot be combined with --strict.',
    ],
    [['--tasks', 'all', '--no-regression'], '--no-regression needs --baseline.'],
    [['--tasks', 'all', '--margin', '2'], '--margin needs --no-regression.'],
    [['--tasks', 'all', '--min-paired', '50'], '--min-paired needs --no-regression.'],
    [['--tasks', 'all', '--find-loss', '10'], '--find-loss needs --no-regression.'],
    [
      ['--tasks', 'all', '--fail-under', '0.6'],
      '--fail-under is a percentage, and 0.6 may be meant as a share: write 60 or 0.6%.',
    ],
    [
      ['--tasks', 'all', '--question', 'all'],
      '--question must be examples-like-these, these-tasks or these-examples, not "all".',
    ],
    [
      ['--tasks', 'all', '--examples', 'some'],
      '--examples must be all, in-turn, or split:NAME with commas, not "some".',
    ],
    [
      ['--tasks', 'all', '--url', 'ftp://x'],
      '--url (or TOUCHSTONE_URL) must be an http or https address without a user name and password.',
    ],
    [['--tasks', 'all', '--api-key', ''], 'test needs TOUCHSTONE_API_KEY, or --api-key.'],
    [
      ['--tasks', 'all', '--api-key', 'a b'],
      'TOUCHSTONE_API_KEY (or --api-key) is not well formed; copy it again, without spaces.',
    ],
    [['--tasks', 'all', '--fail-unter', '5'], 'Unknown flag --fail-unter; did you mean --fail-under?'],
    [['all'], 'test takes no "all".'],
  ])('rejects %j', (args, sentence) => {
    expect(() => readTestOptions(args, ENV)).toThrow(sentence);
  });
});

it.each([
  [['--fail-under', '0.6%'], { failUnder: 0.6 }],
  [['--fail-under', '90 %'], { failUnder: 90 }],
  // A comparison does not lower the line.
  [['--no-regression', '--baseline', ID], { failUnder: 100, margin: 0 }],
  [
    ['--no-regression', '--baseline', ID, '--min-paired', '60', '--find-loss', '10', '--equal-tasks'],
    { minPaired: 60, findLoss: 10, equalTasks: true },
  ],
  [['--examples', 'in-turn'], { examples: null }],
])('%j is read', (args, options) => {
  expect(readTestOptions(['--tasks', 'all', ...args], ENV)).toMatchObject(options);
});
