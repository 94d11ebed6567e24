import { describe, expect, it } from 'vitest';
import { configIssues, type DefinitionType } from '../../../src/evaluate/definition-config.ts';
import type { AppliedDefinition, Ask, JudgedEvaluator, Question } from '../../../src/evaluate/evaluator.ts';
import { custom } from '../../../src/evaluate/evaluators/custom.ts';
import { pairwise } from '../../../src/evaluate/evaluators/pairwise.ts';
import { recall } from '../../../src/evaluate/evaluators/recall.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import { rubricFor } from '../../../src/evaluate/example-expectation.ts';
import { appliedDefinition, documentsOf, subjectOf } from '../../support/judged.ts';

/** Judges with a stand-in that answers each question by its inputs; returns the verdict and what was asked. */
async function judged<Answer>(
  evaluator: JudgedEvaluator<Answer>,
  definition: AppliedDefinition,
  answerOf: (question: Question, index: number) => unknown,
  subject: Subject = subjectOf(),
) {
  const asked: Question[] = [];
  const inquiry = evaluator.inquiry(subject, definition);
  if (typeof inquiry !== 'function') return { asked, verdict: inquiry };
  const ask: Ask = async (question) => {
    asked.push(question);
    return question.answer.parse(answerOf(question, asked.length - 1));
  };
  return { asked, verdict: evaluator.decide([await inquiry(ask)], definition, subject) };
}

const labels = (question: Question | undefined): string[] =>
  (question?.inputs ?? []).map(({ label }) => label);
const yes = { rationale: 'As expected.', verdict: 'yes' };

describe('presets of CUSTOM', () => {
  const preset = (config: object, more: Partial<AppliedDefinition> = {}) =>
    appliedDefinition('CUSTOM', { config: { ...config }, ...more });

  it.each<[category: string, config: object, score: number, passed: boolean]>([
    ['subset', {}, 1, true],
    ['superset', {}, 1, true],
    ['equal', {}, 1, true],
    ['disagreement', {}, 0, false],
    ['immaterial', {}, 1, true],
    ['subset', { categoryScores: { subset: 0.4 } }, 0.4, false],
    ['superset', { categoryScores: { superset: 0.6 }, passThreshold: 0.7 }, 0.6, false],
  ])('factuality: %s with %j scores %d', async (category, config, score, passed) => {
    const definition = preset({ preset: 'factuality', ...config }, { expected: '30 days' });
    const { asked, verdict } = await judged(custom, definition, () => ({ rationale: 'r', category }));
    expect(labels(asked[0])).toEqual(['output', 'input', 'expected output']);
    expect(verdict).toMatchObject({ score, passed, results: { category } });
  });

  it('factuality without an expected answer is skipped', async () => {
    const { verdict } = await judged(custom, preset({ preset: 'factuality' }), () => yes);
    expect(verdict).toEqual({ skip: 'neither the example nor the link to the task has an `expected`' });
  });

  it('closed QA shows documents and what is expected, but no tools', async () => {
    const subject = subjectOf({ documents: documentsOf('30 days.'), toolCalls: [] });
    const definition = preset(
      { preset: 'closed-qa', criterion: 'It is short.' },
      { expected: '30', rubric: 'Names days.' },
    );
    const { asked, verdict } = await judged(custom, definition, () => yes, subject);
    expect(labels(asked[0])).toEqual(['output', 'input', 'rubric', 'expected output', 'document 1']);
    expect(asked[0]?.instructions).toContain('It is short.');
    expect(verdict).toMatchObject({ score: 1, passed: true });
  });

  it('tool choice and trajectory are judged without an output, by calls and steps', async () => {
    const call = { name: 'refund', arguments: { order: 1 }, result: 'done', isError: false };
    const span = { name: 'plan', kind: 'AGENT', model: null, durationMs: 1, isError: true } as const;
    const subject = subjectOf({ output: null, toolCalls: [call], spans: [span] });
    const tools = await judged(custom, preset({ preset: 'tool-choice' }), () => yes, subject);
    expect(tools.asked[0]?.inputs.at(-1)?.text).toBe(JSON.stringify(call));
    const way = await judged(
      custom,
      preset({ preset: 'trajectory' }),
      () => ({ ...yes, verdict: 'no' }),
      subject,
    );
    expect(way.asked[0]?.inputs.at(-2)).toEqual({ label: 'steps', text: '1. AGENT "plan", failed' });
    expect(way.verdict).toMatchObject({ score: 0, passed: false });
    expect(custom.reads(preset({ preset: 'trajectory' }))).toContain('spans');
    const silent = await judged(
      custom,
      preset({ preset: 'tool-choice' }),
      () => yes,
      subjectOf({ output: null }),
    );
    expect(silent.verdict).toMatchObject({ score: 0 });
    const none = await judged(custom, preset({ preset: 'tool-choice' }), () => yes);
    expect(none.asked[0]?.inputs.at(-1)?.text).toBe('none');
  });

  const scale = { scale: { min: 1, max: 10 }, passThreshold: 7, criterion: 'It is coherent.' };
  it('G-Eval writes its steps, then rates by them', async () => {
    const { asked, verdict } = await judged(
      custom,
      preset({ preset: 'g-eval', ...scale }),
      (_question, index) =>
        index === 0 ? { steps: ['Read it.', 'Compare it.'] } : { rationale: 'r', score: 8 },
    );
    expect(asked).toHaveLength(2);
    expect(asked[0]?.inputs).toEqual([]);
    expect(asked[1]?.instructions).toContain('1. Read it.\n2. Compare it.');
    expect(verdict).toMatchObject({
      score: 8,
      passed: true,
      results: { steps: ['Read it.', 'Compare it.'] },
    });
  });

  it('given steps need no first request', async () => {
    const { asked } = await judged(custom, preset({ ...scale, steps: ['Only this.'] }), () => ({
      rationale: 'r',
      score: 8,
    }));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.instructions).toContain('1. Only this.');
  });

  it.each<[type: DefinitionType, config: object, faults: string[]]>([
    ['CUSTOM', {}, ['criterion']],
    ['CUSTOM', { preset: 'closed-qa' }, []],
    ['CUSTOM', { preset: 'closed' }, ['preset']],
    ['CUSTOM', { preset: 'g-eval', criterion: 'c' }, ['scale']],
    [
      'CUSTOM',
      { preset: 'factuality', scale: { min: 1, max: 5 }, passThreshold: 3 },
      ['scale', 'passThreshold'],
    ],
    ['CUSTOM', { preset: 'tool-choice', categoryScores: {} }, ['categoryScores']],
    ['CUSTOM', { criterion: 'c', steps: ['a'] }, ['steps']],
    ['CUSTOM', { preset: 'factuality', categoryScores: { subset: 2 } }, ['categoryScores']],
    ['RECALL', { measures: ['faithfulness'] }, []],
    ['RECALL', { measures: [] }, ['measures']],
    ['RECALL', { measures: ['recall'] }, ['measures']],
  ])('%s %j has faults at %j', (type, config, faults) => {
    expect(configIssues(type, config).map(({ path }) => path[1])).toEqual(faults);
  });
});

describe('measures of RECALL alone', () => {
  const documents = documentsOf('Chairs: 30 days.', 'Lamps: 60 days.');
  const subject = subjectOf({ documents });
  const statement = { statement: 's', rationale: 'r', isSupported: true };
  const ANSWERS: Readonly<Record<string, unknown>> = {
    contextPrecision: {
      documents: [
        { document: 1, rationale: 'r', isRelevant: false },
        { document: 2, rationale: 'r', isRelevant: true },
      ],
    },
    contextRelevancy: { relevantSentences: [1] },
    contextRecall: { statements: [statement, { ...statement, isSupported: false }] },
    faithfulness: { statements: [statement] },
  };

  it.each<[measure: string, score: number, inputs: string[]]>([
    ['contextPrecision', 0.5, ['input', 'expected', 'document 1', 'document 2']],
    ['contextRelevancy', 0.5, ['input', 'document 1', 'document 2']],
    ['contextRecall', 0.5, ['expected', 'input', 'document 1', 'document 2']],
    ['faithfulness', 1, ['input', 'output', 'document 1', 'document 2']],
  ])('%s needs one request', async (measure, score, inputs) => {
    const definition = appliedDefinition('RECALL', { config: { measures: [measure] }, expected: '30 days' });
    const { asked, verdict } = await judged(recall, definition, () => ANSWERS[measure], subject);
    expect(asked).toHaveLength(1);
    expect(labels(asked[0])).toEqual(inputs);
    expect(verdict).toMatchObject({ score, passed: true, results: { measures: { [measure]: score } } });
    const others = Object.values((verdict as unknown as { results: { measures: object } }).results.measures);
    expect(others.filter((value) => value !== null)).toEqual([score]);
  });

  it('answer relevancy needs no documents', async () => {
    const definition = appliedDefinition('RECALL', { config: { measures: ['answerRelevancy'] } });
    const { asked, verdict } = await judged(recall, definition, () => ({
      isNoncommittal: true,
      questions: ['a', 'b', 'c'],
    }));
    expect(asked).toHaveLength(1);
    expect(verdict).toMatchObject({ score: 0, passed: false });
  });

  it.each<[measure: string, of: Partial<Subject>, verdict: object]>([
    ['contextRecall', { documents }, { skip: expect.stringContaining('`expected`') as string }],
    ['faithfulness', {}, { skip: 'the trace has no retrieved documents' }],
    ['contextPrecision', { documents, input: null }, { skip: 'the trace has no input' }],
    ['faithfulness', { documents, output: null }, { score: 0 }],
  ])('%s of %j is not asked', async (measure, of, verdict) => {
    const definition = appliedDefinition('RECALL', { config: { measures: [measure] } });
    expect((await judged(recall, definition, () => null, subjectOf(of))).verdict).toMatchObject(verdict);
  });

  it('retrieval is measured without an output', async () => {
    const definition = appliedDefinition('RECALL', { config: { measures: ['contextPrecision'] } });
    const { asked } = await judged(
      recall,
      definition,
      () => ANSWERS['contextPrecision'],
      subjectOf({ documents, output: null }),
    );
    expect(labels(asked[0])).toEqual(['input', 'document 1', 'document 2']);
  });

  it('an output without statements has no faithfulness', async () => {
    const definition = appliedDefinition('RECALL', { config: { measures: ['faithfulness'] } });
    const { verdict } = await judged(recall, definition, () => ({ statements: [] }), subject);
    expect(verdict).toMatchObject({ status: 'SKIPPED' });
  });
});

describe('the best of several outputs', () => {
  const baseline = { testId: 'b', output: 'Soon.', others: [{ testId: 'c', output: 'Within weeks.' }] };
  const definition = appliedDefinition('PAIRWISE', {
    config: { baselineRunIds: ['5d1a1f2e-3c4b-4d5e-8f60-718293a4b5c6'], selectBest: true },
    baseline,
  });
  const choosing = (text: string) => (question: Question) => ({
    rationale: 'r',
    best: 1 + question.inputs.findIndex((input) => input.text === text),
  });

  it.each<[what: string, answerOf: (question: Question) => unknown, verdict: object]>([
    ['the judged one', choosing('Within 30 days.'), { score: 1, passed: true, results: { outcome: 'best' } }],
    ['another one', choosing('Soon.'), { score: 0, passed: false, results: { outcome: 'not best' } }],
    ['the first place', () => ({ rationale: 'r', best: 1 }), { status: 'FAILED' }],
    ['the place in the middle, which is the same output', () => ({ rationale: 'r', best: 2 }), { score: 0 }],
  ])('is %s', async (_what, answerOf, verdict) => {
    const { asked, verdict: given } = await judged(pairwise, definition, answerOf);
    expect(labels(asked[0])).toEqual(['output 1', 'output 2', 'output 3', 'input']);
    expect(asked[1]?.inputs[0]?.text).toBe('Within weeks.');
    expect(given).toMatchObject(verdict);
  });

  it('names the tests that it was compared with', async () => {
    const { verdict } = await judged(pairwise, definition, choosing('Soon.'));
    expect(verdict).toMatchObject({ results: { candidateTestIds: ['b', 'c'], outputs: 3 } });
  });
});

describe('the rubric of an example for a definition', () => {
  const of = { definitionId: 'd0000000-0000-4000-8000-000000000000', name: 'Tone', config: {} };
  it.each<[rubrics: Record<string, string> | undefined, rubric: string | undefined]>([
    [undefined, 'all'],
    [{ Tone: 'warm' }, 'warm'],
    [{ ' tone ': 'warm' }, 'warm'],
    [{ 'D0000000-0000-4000-8000-000000000000': 'by id' }, 'by id'],
    [{ Facts: 'days' }, 'all'],
  ])('of %j is %j', (rubrics, rubric) => {
    expect(rubricFor(of, { rubric: 'all', rubrics })).toBe(rubric);
  });

  it.each<[rubrics: Record<string, string> | undefined, rubric: string | undefined]>([
    [undefined, undefined],
    [{ Tone: 'warm' }, 'warm'],
    [{ Facts: 'days' }, undefined],
  ])('that reads only its own, of %j, is %j', (rubrics, rubric) => {
    expect(rubricFor({ ...of, config: { exampleRubric: 'own' } }, { rubric: 'all', rubrics })).toBe(rubric);
  });

  it.each<[config: object, rubric: string | undefined, isJudged: boolean]>([
    [{}, undefined, true],
    [{ exampleRubric: 'any' }, undefined, false],
    [{ exampleRubric: 'any' }, 'is warm', true],
    [{ exampleRubric: 'own' }, undefined, false],
    [{ exampleRubric: 'any', preset: 'closed-qa' }, undefined, false],
  ])('decides whether %j judges with the rubric %j: %j', (config, rubric, isJudged) => {
    const definition = appliedDefinition('CUSTOM', {
      config: { criterion: 'It is warm.', ...config },
      rubric,
    });
    expect(typeof custom.inquiry(subjectOf(), definition) === 'function').toBe(isJudged);
  });
});
