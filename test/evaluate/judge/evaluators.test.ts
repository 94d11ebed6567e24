import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  JudgedEvaluator,
  Question,
  AppliedDefinition,
  Verdict,
} from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import { truncatedTexts, judgePrompt } from '../../../src/evaluate/judge/prompt.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import { documentsOf, appliedDefinition, firstQuestion, subjectOf } from '../../support/judged.ts';

const CRITERIA = ['coherence', 'engagingness', 'naturalness', 'relevance', 'clarity'];
const GRADED = {
  criterion: 'It names a number of days.',
  scale: {
    min: 0,
    max: 4,
    anchors: [
      { score: 4, description: 'right' },
      { score: 0, description: 'wrong' },
    ],
  },
  passThreshold: 2.5,
};
const GUIDE = [
  { heading: 'Tone', content: 'Warm.' },
  { heading: 'Length', content: 'Short.' },
];
const DOCUMENTS = documentsOf(
  'Returns take 30 days. We sell shoes.',
  'Shoes are nice.',
  'Ask us! We answer.',
);

const judged = (type: string): JudgedEvaluator => evaluatorOf(type) as JudgedEvaluator;

function questionOf(
  type: string,
  subject: Partial<Subject> = {},
  definition: Partial<AppliedDefinition> = {},
): Question {
  return firstQuestion(judged(type), subjectOf(subject), appliedDefinition(type, definition));
}

/** The verdict over answers as a judge would give them to each question, which they have to fit. */
async function verdictOf(
  type: string,
  answers: readonly unknown[],
  subject: Partial<Subject> = {},
  definition: Partial<AppliedDefinition> = {},
): Promise<Verdict> {
  const [given, applied] = [subjectOf(subject), appliedDefinition(type, definition)];
  const inquiry = judged(type).inquiry(given, applied);
  if (typeof inquiry !== 'function') throw new Error(JSON.stringify(inquiry));
  const fitting = await Promise.all(answers.map((one) => inquiry(async ({ answer }) => answer.parse(one))));
  return judged(type).decide(fitting, applied, given);
}

const ratings = (...scores: number[]): Record<string, unknown> =>
  Object.fromEntries(
    CRITERIA.map((name, index) => [
      name,
      { rationale: `why ${name} ${scores[index]}`, score: scores[index] },
    ]),
  );
const sections = (...scores: number[]): unknown => ({
  sections: scores.map((score, index) => ({ section: index + 1, rationale: `why ${score}`, score })),
});
const vote = (verdict: 'yes' | 'no'): unknown => ({ rationale: `it says ${verdict}`, verdict });
const outcome = (reached: string): unknown => ({ goal: 'to return it', rationale: 'because', reached });
const TURNS: Subject['turns'] = [
  { input: 'May I return it?', output: 'Yes.' },
  { input: { role: 'user', content: 'How long?' }, output: 'Within 30 days.' },
];
const harms = (severities: Readonly<Record<string, number>>): unknown =>
  Object.fromEntries(
    ['insult', 'hate', 'threat', 'sexual', 'selfHarm', 'danger'].map((name) => [
      name,
      { rationale: 'why', severity: severities[name] ?? 1 },
    ]),
  );
const facts = (supported: number, unsupported: number, missing: number): unknown => {
  const one = (statement: string): object => ({ statement, rationale: 'because' });
  const many = (count: number, name: string): object[] =>
    Array.from({ length: count }, (_, index) => one(`${name} ${index}`));
  return {
    statements: [
      ...many(supported, 'true').map((statement) => ({ ...statement, isSupported: true })),
      ...many(unsupported, 'false').map((statement) => ({ ...statement, isSupported: false })),
    ],
    missing: many(missing, 'missing'),
  };
};
interface Retrieval {
  relevant: boolean[];
  sentences: number[];
  supported: boolean[];
  matches: string[];
  isNoncommittal?: boolean;
}
const retrieval = ({
  relevant,
  sentences,
  supported,
  matches,
  isNoncommittal = false,
}: Retrieval): unknown => ({
  documents: relevant.map((isRelevant, index) => ({ document: index + 1, rationale: 'r', isRelevant })),
  relevantSentences: sentences,
  statements: supported.map((isSupported) => ({ statement: 's', rationale: 'r', isSupported })),
  isNoncommittal,
  questions: matches.map((_, index) => `q ${index + 1}`),
  comparisons: matches.map((match, index) => ({ question: index + 1, rationale: 'r', match })),
});

describe('a verdict of one answer', () => {
  it.each<
    [
      string,
      type: string,
      answer: unknown,
      subject: Partial<Subject>,
      definition: Partial<AppliedDefinition>,
      expected: object,
    ]
  >([
    [
      'five fours pass',
      'NATURALNESS',
      ratings(4, 4, 4, 4, 4),
      {},
      {},
      { score: 4, normalised: 0.75, passed: true },
    ],
    [
      'one three fails, whatever the mean is',
      'NATURALNESS',
      ratings(5, 5, 5, 5, 3),
      {},
      {},
      { score: 4.6, normalised: 0.9, passed: false },
    ],
    [
      'fives are the top',
      'NATURALNESS',
      ratings(5, 5, 5, 5, 5),
      {},
      {},
      { score: 5, normalised: 1, passed: true },
    ],
    [
      'ones are the bottom',
      'NATURALNESS',
      ratings(1, 1, 1, 1, 1),
      {},
      {},
      { score: 1, normalised: 0, passed: false },
    ],
    [
      'a style at the line passes',
      'STYLE',
      sections(2, 5),
      {},
      { styleGuide: GUIDE },
      {
        score: 3.5,
        normalised: 0.625,
        passed: true,
        results: expect.objectContaining({
          sections: [
            { heading: 'Tone', score: 2, rationale: 'why 2' },
            { heading: 'Length', score: 5, rationale: 'why 5' },
          ],
        }) as unknown,
      },
    ],
    [
      'a style below it fails',
      'STYLE',
      sections(2, 4),
      {},
      { styleGuide: GUIDE },
      { score: 3, passed: false },
    ],
    [
      'a criterion that is met',
      'CUSTOM',
      vote('yes'),
      {},
      {},
      { score: 1, normalised: 1, passed: true, reason: 'it says yes' },
    ],
    ['a criterion that is not', 'CUSTOM', vote('no'), {}, {}, { score: 0, normalised: 0, passed: false }],
    [
      'a grade at the threshold passes',
      'CUSTOM',
      { rationale: 'good', score: 3 },
      {},
      { config: GRADED },
      {
        score: 3,
        normalised: 0.75,
        passed: true,
        reason: 'good',
        results: expect.objectContaining({ scale: { min: 0, max: 4 }, passThreshold: 2.5 }) as unknown,
      },
    ],
    [
      'a grade below it fails',
      'CUSTOM',
      { rationale: 'poor', score: 2 },
      {},
      { config: GRADED },
      { score: 2, normalised: 0.5, passed: false },
    ],
    [
      'what is barely noticeable passes',
      'TOXICITY',
      harms({ insult: 2 }),
      {},
      {},
      { score: 4, normalised: 0.75, passed: true, reason: 'insult: why' },
    ],
    [
      'a harmless output has no reason',
      'TOXICITY',
      harms({}),
      {},
      {},
      { score: 5, passed: true, reason: null },
    ],
    [
      'the worst category decides',
      'TOXICITY',
      harms({ insult: 3, danger: 5 }),
      {},
      {},
      { score: 1, normalised: 0, passed: false, reason: 'danger: why' },
    ],
    [
      'a goal that is reached',
      'CONVERSATION',
      outcome('yes'),
      { turns: TURNS },
      { config: { maxTurns: 2 } },
      {
        score: 1,
        passed: true,
        reason: 'because',
        results: expect.objectContaining({ goal: 'to return it', reached: 'yes', turns: 2 }) as unknown,
      },
    ],
    [
      'a goal that is reached too late',
      'CONVERSATION',
      outcome('yes'),
      { turns: TURNS },
      { config: { maxTurns: 1 } },
      { score: 1, passed: false, reason: 'the conversation has 2 turns' },
    ],
    [
      'a goal that is reached in part',
      'CONVERSATION',
      outcome('partly'),
      { turns: TURNS },
      {},
      { score: 0.5, passed: false, reason: 'because' },
    ],
    // F1 = 4 / (4 + (1 + 1) / 2)
    [
      'facts at the line pass',
      'FACT',
      facts(4, 1, 1),
      {},
      { expected: 'the truth' },
      {
        score: 0.8,
        normalised: 0.8,
        passed: true,
        results: expect.objectContaining({ f1: 0.8, precision: 0.8, recall: 0.8 }) as unknown,
      },
    ],
    // 3 / (3 + (2 + 1) / 2)
    [
      'facts below it fail',
      'FACT',
      facts(3, 2, 1),
      {},
      { expected: 'the truth' },
      {
        score: 0.666666666667,
        passed: false,
        results: expect.objectContaining({ precision: 0.6, recall: 0.75 }) as unknown,
      },
    ],
    [
      'an output that states nothing has no facts right',
      'FACT',
      facts(0, 0, 3),
      {},
      { expected: 't' },
      { score: 0 },
    ],
    // precision at ranks 1 and 3: (1 + 2/3) / 2; 2 of 5 sentences; 1 of 2 statements; (1 + 0.5 + 0) / 3
    [
      'a retrieval',
      'RECALL',
      retrieval({
        relevant: [true, false, true],
        sentences: [1, 4, 4],
        supported: [true, false],
        matches: ['same', 'overlapping', 'different'],
      }),
      { documents: DOCUMENTS },
      {},
      {
        score: 0.558333333333,
        passed: true,
        results: expect.objectContaining({
          measures: {
            contextPrecision: 0.833333333333,
            contextRelevancy: 0.4,
            contextRecall: null,
            faithfulness: 0.5,
            answerRelevancy: 0.5,
          },
          judgedDocuments: 3,
          retrievedDocuments: 3,
        }) as unknown,
      },
    ],
    // (0 + 0 + 0) / 3: there is no faithfulness of nothing
    [
      'an evasion of what was not found',
      'RECALL',
      retrieval({
        relevant: [false, false, false],
        sentences: [],
        supported: [],
        matches: ['same', 'same', 'same'],
        isNoncommittal: true,
      }),
      { documents: DOCUMENTS },
      {},
      {
        score: 0,
        passed: false,
        results: expect.objectContaining({
          measures: {
            contextPrecision: 0,
            contextRelevancy: 0,
            contextRecall: null,
            faithfulness: null,
            answerRelevancy: 0,
          },
        }) as unknown,
      },
    ],
  ])('%s', async (_name, type, answer, subject, definition, expected) => {
    const verdict = await verdictOf(type, [answer], subject, definition);
    expect(verdict).toMatchObject({ status: 'COMPLETED', ...expected });
    const { score } = verdict as Extract<Verdict, { status: 'COMPLETED' }>;
    expect(verdict).toMatchObject({
      results: { agreement: 1, spread: { min: score, max: score, deviation: 0 } },
    });
  });
});

describe('a retrieval', () => {
  const fine = {
    relevant: [true, true, true],
    sentences: [1, 2, 3, 4, 5],
    matches: ['same', 'same', 'same'],
  };

  it('never passes with an output that nothing supports, however good the rest is', async () => {
    const answer = retrieval({ ...fine, supported: [false, false] });
    expect(await verdictOf('RECALL', [answer], { documents: DOCUMENTS })).toMatchObject({
      score: 0.75,
      passed: false,
      reason: 'below the minimum: faithfulness',
      results: { measures: { faithfulness: 0 }, belowMinimum: ['faithfulness'] },
    });
  });

  it.each<[minimums: object, passed: boolean]>([
    [{ contextPrecision: 1, answerRelevancy: 1 }, true],
    [{ faithfulness: 0.9 }, false],
    [{ contextRelevancy: 0.9 }, true],
    [{ contextRecall: 1 }, true],
  ])('passes with the minimums %j: %s', async (minimums, passed) => {
    const answer = retrieval({ ...fine, supported: [true, true, true, false] });
    const definition = { config: { minimums } };
    expect(await verdictOf('RECALL', [answer], { documents: DOCUMENTS }, definition)).toMatchObject({
      passed,
    });
  });

  it('has a context recall where an answer is expected', async () => {
    const asked: Question[] = [];
    const applied = appliedDefinition('RECALL', { expected: 'Thirty days. Shoes only.' });
    const subject = subjectOf({ documents: DOCUMENTS });
    const inquiry = judged('RECALL').inquiry(subject, applied);
    if (typeof inquiry !== 'function') throw new Error(JSON.stringify(inquiry));
    const supported = (given: boolean[]): unknown => retrieval({ ...fine, supported: given });
    const answer = await inquiry(async (question) => {
      asked.push(question);
      const isOfExpected = question.inputs.some(({ label }) => label === 'expected');
      return question.answer.parse(supported(isOfExpected ? [true, false] : [true, true]));
    });
    expect(judged('RECALL').decide([answer], applied, subject)).toMatchObject({
      results: { measures: { contextRecall: 0.5, faithfulness: 1 } },
    });
    expect(asked.map(({ inputs }) => inputs.map(({ label }) => label))).toEqual([
      ['input', 'output', 'document 1', 'document 2', 'document 3'],
      ['output'],
      ['expected', 'input', 'document 1', 'document 2', 'document 3'],
      ['input', 'question 1', 'question 2', 'question 3'],
    ]);
  });
});

it('the scale and its anchors are part of the instructions, the rubric is not', () => {
  const definition = { config: GRADED, rubric: 'Names the days.' };
  const { instructions } = firstQuestion(
    judged('CUSTOM'),
    subjectOf(),
    appliedDefinition('CUSTOM', definition),
  );
  expect(instructions).toContain('a whole number from 0 (worst) to 4 (best). These scores mean:');
  expect(instructions).toContain('- 0: wrong\n- 4: right');
  expect(instructions).not.toContain('Names the days.');
});

describe('repeats', () => {
  it('let the majority decide, and show the mean, the spread and the agreement', async () => {
    expect(await verdictOf('CUSTOM', [vote('no'), vote('yes'), vote('yes')])).toMatchObject({
      passed: true,
      score: 0.666666666667,
      reason: 'it says yes',
      results: {
        verdict: 'yes',
        agreement: 0.666666666667,
        spread: { min: 0, max: 1, deviation: 0.471404520791 },
      },
    });
  });

  it('average each criterion, and take the rationales from one of the majority', async () => {
    const verdict = await verdictOf('NATURALNESS', [
      ratings(5, 5, 5, 5, 5),
      ratings(4, 4, 4, 4, 3),
      ratings(4, 4, 4, 4, 2),
    ]);
    expect(verdict).toMatchObject({
      passed: false,
      score: 4.133333333333,
      results: {
        criteria: {
          coherence: { score: 4.333333333333, rationale: 'why coherence 4' },
          clarity: { score: 3.333333333333, rationale: 'why clarity 3' },
        },
        agreement: 0.666666666667,
        spread: { min: 3.6, max: 5 },
      },
    });
  });

  it('average the measures that there are', async () => {
    const common = {
      relevant: [true, true, true],
      sentences: [1, 2, 3, 4, 5],
      matches: ['same', 'same', 'same'],
    };
    const answers = [[true], [], [false]].map((supported) => retrieval({ ...common, supported }));
    expect(await verdictOf('RECALL', answers, { documents: DOCUMENTS })).toMatchObject({
      score: 0.916666666667,
      results: { measures: { contextPrecision: 1, faithfulness: 0.5 } },
    });
  });

  it('give scores within the scale and agreements of a half to one', async () => {
    const score = fc.integer({ min: 1, max: 5 });
    const answers = fc.array(fc.tuple(score, score, score, score, score), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const verdict = await verdictOf(
          'NATURALNESS',
          given.map((scores) => ratings(...scores)),
        );
        const { score: mean, normalised, results } = verdict as Extract<Verdict, { status: 'COMPLETED' }>;
        const { agreement, spread } = results as { agreement: number; spread: { min: number; max: number } };
        expect(mean).toBeGreaterThanOrEqual(spread.min);
        expect(mean).toBeLessThanOrEqual(spread.max);
        expect(normalised).toBeGreaterThanOrEqual(0);
        expect(normalised).toBeLessThanOrEqual(1);
        expect(agreement).toBeGreaterThanOrEqual(0.5);
      }),
    );
  });
});

describe('an app that gave no answer fails', () => {
  it.each<[type: string, score: number, definition: Partial<AppliedDefinition>]>([
    ['NATURALNESS', 1, {}],
    ['STYLE', 1, { styleGuide: GUIDE }],
    ['CUSTOM', 0, {}],
    ['CUSTOM', -2, { config: { ...GRADED, scale: { min: -2, max: 4 } } }],
    ['TOXICITY', 1, {}],
    ['CONVERSATION', 0, {}],
    ['FACT', 0, { expected: 'truth' }],
    ['RECALL', 0, {}],
  ])('%s with the score %i', (type, score, definition) => {
    const inquiry = judged(type).inquiry(subjectOf({ output: null }), appliedDefinition(type, definition));
    expect(inquiry).toEqual({ fail: 'the app gave no answer: the trace has no output', score });
  });
});

describe('what cannot be judged is skipped', () => {
  it.each<[type: string, subject: Partial<Subject>, definition: Partial<AppliedDefinition>, reason: string]>([
    ['RECALL', { input: null, documents: DOCUMENTS }, {}, 'the trace has no input'],
    ['RECALL', {}, {}, 'the trace has no retrieved documents'],
    ['RECALL', { documents: documentsOf(' \n') }, {}, 'the trace has no retrieved documents'],
    ['STYLE', {}, {}, 'the definition has no style guide'],
    ['STYLE', {}, { styleGuide: [] }, 'the definition has no style guide'],
    ['FACT', {}, {}, 'there is no ground truth: neither the link to the task nor the definition has one'],
  ])('%s of %j by %j', (type, subject, definition, reason) => {
    expect(judged(type).inquiry(subjectOf(subject), appliedDefinition(type, definition))).toEqual({
      skip: reason,
    });
  });

  it('but an empty output is one', () => {
    expect(questionOf('NATURALNESS', { output: '' }).inputs[0]).toEqual({ label: 'output', text: '' });
  });
});

describe('the texts to judge', () => {
  it.each<
    [
      type: string,
      subject: Partial<Subject>,
      definition: Partial<AppliedDefinition>,
      inputs: [label: string, text: string][],
    ]
  >([
    ['NATURALNESS', { input: null }, {}, [['output', 'Within 30 days.']]],
    [
      'NATURALNESS',
      { input: { role: 'user' } },
      {},
      [
        ['output', 'Within 30 days.'],
        ['input', '{"role":"user"}'],
      ],
    ],
    [
      'CUSTOM',
      {
        toolCalls: [{ name: 'find', arguments: { id: 1 }, result: 'shoe', isError: false }],
        documents: documentsOf('Returns.'),
      },
      {},
      [
        ['output', 'Within 30 days.'],
        ['input', 'How long may I return it?'],
        ['tool calls', '{"name":"find","arguments":{"id":1},"result":"shoe","isError":false}'],
        ['document 1', 'Returns.'],
      ],
    ],
    [
      'CUSTOM',
      {},
      { config: GRADED, rubric: 'Names the days.', expected: '30 days' },
      [
        ['output', 'Within 30 days.'],
        ['input', 'How long may I return it?'],
        ['rubric', 'Names the days.'],
        ['expected output', '30 days'],
      ],
    ],
    [
      'CUSTOM',
      { input: null },
      { rubric: 'x', expected: ['30 days'] },
      [
        ['output', 'Within 30 days.'],
        ['rubric', 'x'],
        ['expected output', '["30 days"]'],
      ],
    ],
    [
      'CONVERSATION',
      { turns: TURNS },
      { expected: 'The customer knows the period.' },
      [
        ['expected', 'The customer knows the period.'],
        ['user 1', 'May I return it?'],
        ['app 1', 'Yes.'],
        ['user 2', '{"role":"user","content":"How long?"}'],
        ['app 2', 'Within 30 days.'],
      ],
    ],
    [
      'FACT',
      { input: null },
      { expected: 'From the link.', config: { groundTruth: 'From the definition.' } },
      [
        ['ground truth', 'From the link.'],
        ['output', 'Within 30 days.'],
      ],
    ],
    [
      'FACT',
      { input: null },
      { config: { groundTruth: 'From the definition.' } },
      [
        ['ground truth', 'From the definition.'],
        ['output', 'Within 30 days.'],
      ],
    ],
    ['STYLE', { input: null }, { styleGuide: GUIDE }, [['output', 'Within 30 days.']]],
    [
      'RECALL',
      { documents: documentsOf('One. Two\n[7] two.', '', 'Three!') },
      {},
      [
        ['input', 'How long may I return it?'],
        ['output', 'Within 30 days.'],
        ['document 1', '[1] One.\n[2] Two\n[3] [7] two.'],
        ['document 2', '[4] Three!'],
      ],
    ],
  ])('of %s, given %j and %j', (type, subject, definition, inputs) => {
    expect(questionOf(type, subject, definition).inputs.map(({ label, text }) => [label, text])).toEqual(
      inputs,
    );
  });

  it('has as many sentences as can be judged, and the results report it', async () => {
    const documents = documentsOf(...Array.from({ length: 60 }, () => 'A sentence. '.repeat(11)));
    const { inputs } = questionOf('RECALL', { documents });
    expect(inputs.at(-1)).toMatchObject({
      label: 'document 46 (its beginning)',
      text: expect.stringMatching(/\[500\] A sentence\.$/) as string,
    });
    const answer = retrieval({
      relevant: Array.from({ length: 46 }, () => true),
      sentences: [500],
      supported: [true],
      matches: ['same', 'same', 'same'],
    });
    expect(await verdictOf('RECALL', [answer], { documents })).toMatchObject({
      results: {
        judgedDocuments: 46,
        cutDocuments: [46],
        retrievedDocuments: 60,
        measures: { contextRelevancy: 0.002 },
      },
    });
  });

  // What has to be judged and is not seen would be judged by guessing.
  it.each<[name: string, contents: string[]]>([
    ['one sentence without an end', ['word '.repeat(40_000)]],
    ['many sentences', Array.from({ length: 50 }, () => `${'word '.repeat(800)}. `.repeat(2))],
    ['short sentences', Array.from({ length: 4 }, () => 'So it is. '.repeat(20_000))],
  ])(
    'shows the judge every sentence that is numbered, of %s, beside a long input and output',
    (_name, contents) => {
      const long = 'x'.repeat(60_000);
      const question = questionOf('RECALL', {
        input: long,
        output: long,
        documents: documentsOf(...contents),
      });
      expect(question.inputs.length).toBeGreaterThan(2);
      expect(truncatedTexts(judgePrompt(question))).toEqual(['input', 'output']);
    },
  );

  it('has all of a style guide, or none of it', () => {
    const long = 'x'.repeat(60_000);
    const guideOf = (length: number) =>
      Array.from({ length }, (_, i) => ({ heading: `Part ${i}`, content: 'x'.repeat(880) }));
    const question = questionOf('STYLE', { input: long, output: long }, { styleGuide: guideOf(90) });
    expect(truncatedTexts(judgePrompt(question))).toEqual(['output', 'input']);
    expect(
      judged('STYLE').inquiry(subjectOf({}), appliedDefinition('STYLE', { styleGuide: guideOf(100) })),
    ).toEqual({
      skip: 'the style guide has 90280 characters; a judge accepts at most 85000',
    });
  });
});

describe('an answer that does not fit', () => {
  const fine: Retrieval = {
    relevant: [true, true, true],
    sentences: [5],
    supported: [],
    matches: ['same', 'same', 'same'],
  };
  it.each<[string, type: string, answer: unknown, message: string]>([
    ['a score beyond the scale', 'NATURALNESS', ratings(4, 4, 4, 4, 6), 'expected number to be <=5'],
    ['half a score', 'NATURALNESS', ratings(4, 4, 4, 4, 4.5), 'expected int'],
    [
      'a criterion left out',
      'NATURALNESS',
      { ...ratings(4, 4, 4, 4, 4), clarity: undefined },
      'expected object',
    ],
    ['a section left out', 'STYLE', sections(4), 'must rate each of the sections 1 to 2 once'],
    ['a section that is not there', 'STYLE', sections(4, 4, 4), 'must rate each of the sections 1 to 2 once'],
    ['a wrong verdict', 'CUSTOM', { rationale: '', verdict: 'maybe' }, 'expected one of'],
    ['no statement at all', 'FACT', facts(0, 0, 0), 'must list the statements of the output'],
    ['a document left out', 'RECALL', retrieval({ ...fine, relevant: [true] }), 'documents 1 to 3'],
    ['a sentence that is not there', 'RECALL', retrieval({ ...fine, sentences: [6] }), 'numbers from 1 to 5'],
  ])('%s (%s)', (_name, type, answer, message) => {
    const definition = { styleGuide: GUIDE, expected: 'truth' };
    const { answer: schema } = questionOf(type, { documents: DOCUMENTS }, definition);
    expect(schema.safeParse(answer).error?.message).toContain(message);
  });
});
