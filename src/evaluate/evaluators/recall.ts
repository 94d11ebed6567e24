import { allOf } from '../../runtime/all-of.ts';
import { definitionConfigs, type RecallMeasure, type RecallMinimums } from '../definition-config.ts';
import type { AppliedDefinition, Ask, Inquiry, JudgedEvaluator, NoInquiry } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { settledMean } from '../statistics/settled.ts';
import { settled } from '../statistics/settled.ts';
import { type Subject, textOf } from '../subject.ts';
import { documentInputs, promptInput, noOutput } from './prompt-inputs.ts';
import {
  askDocuments,
  askExpected,
  askRelevancy,
  askRetrieval,
  askSentences,
  askStatements,
  type ExpectedStatements,
  MATCHES,
  type RelevancyAnswer,
  type RetrievalAnswer,
} from './recall-questions.ts';
import { numberSentences } from './sentences.ts';

const PASS_LINE = 0.5;
/** An output of which most statements have no support never passes by its other measures. */
const DEFAULT_MINIMUMS: RecallMinimums = { faithfulness: 0.5 };

type Parts = RetrievalAnswer & RelevancyAnswer;
/** Answers of one vote; null for what was not asked. */
type Answer = { [Part in keyof Parts]: Parts[Part] | null } & {
  /** Statements of the expected answer; null when none is expected. */
  expectedStatements: ExpectedStatements | null;
};

const NOTHING: Answer = {
  documents: null,
  relevantSentences: null,
  statements: null,
  isNoncommittal: null,
  questions: null,
  expectedStatements: null,
};

/**
 * Measures from 0 to 1; null for those that were not asked, for recall when no answer is expected, and for faithfulness when the
 * output makes no statement.
 */
type Measures = Record<RecallMeasure, number | null>;

/**
 * `RECALL`: judges retrieval and its use. The judge reports which documents and sentences are useful, which
 * statements are supported, and which questions the output answers. The measures are computed here as RAGAS defines
 * them (Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2024), with one exception: answer
 * relevancy uses three levels of `match` instead of the similarity of embeddings. The score is the mean of the
 * available measures. It passes from 0.5 if each measure reaches its minimum: `globalConfig.minimums`, else 0.5 for
 * faithfulness. With `globalConfig.measures`, only these are asked, one request each (answer relevancy: two). `results`: `{ measures, belowMinimum, documents, statements, expectedStatements, questions,
 * isNoncommittal, judgedDocuments, cutDocuments, retrievedDocuments }`; only the beginning of the documents in
 * `cutDocuments` was judged.
 */
export const recall: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['input', 'output', 'documents'],
  inquiry(subject, definition) {
    const { measures } = definitionConfigs.RECALL.parse(definition.config);
    return measures === undefined
      ? completeInquiry(subject, definition)
      : measuresInquiry(new Set(measures), subject, definition);
  },
  decide(answers, definition, subject) {
    const { shown, sentences, inAll } = numberSentences(subject.documents);
    const minimums = minimumsOf(definition);
    const measured = answers.map((answer) => measuresOf(answer, sentences));
    const opinions = answers.flatMap((answer, index) => {
      const measures = measured[index] as Measures;
      const values = Object.values(measures).filter((value) => value !== null);
      if (values.length === 0) return [];
      const score = settledMean(values);
      return [{ answer, score, passed: score >= PASS_LINE && below(measures, minimums).length === 0 }];
    });
    if (opinions.length === 0)
      return { status: 'SKIPPED', reason: 'the output makes no statement that documents could support' };
    const measures = averaged(measured);
    return majorityVerdict(opinions, { min: 0, max: 1 }, (answer) => {
      const { documents, statements, expectedStatements, questions, isNoncommittal } = answer;
      const belowMinimum = below(measuresOf(answer, sentences), minimums);
      return {
        results: {
          measures,
          belowMinimum,
          documents,
          statements,
          expectedStatements,
          questions,
          isNoncommittal,
          judgedDocuments: shown.length,
          cutDocuments: shown.flatMap(({ isTruncated }, index) => (isTruncated ? [index + 1] : [])),
          retrievedDocuments: inAll,
        },
        reason: belowMinimum.length === 0 ? null : `below the minimum: ${belowMinimum.join(', ')}`,
      };
    });
  },
};

const NO_DOCUMENTS: NoInquiry = { skip: 'the trace has no retrieved documents' };
const NO_INPUT: NoInquiry = { skip: 'the trace has no input' };

/** Requests all measures, with those of retrieval in one request. */
function completeInquiry(
  { input, output, documents }: Subject,
  { expected }: AppliedDefinition,
): Inquiry<Answer> | NoInquiry {
  const { shown, sentences } = numberSentences(documents);
  if (output === null) return noOutput(0);
  if (shown.length === 0) return NO_DOCUMENTS;
  if (input === null) return NO_INPUT;
  const [inputs, outputs] = [promptInput('input', input), promptInput('output', output)];
  const texts = documentInputs(shown);
  const wanted = promptInput('expected', textOf(expected ?? null));
  return async (ask) => {
    const [retrieval, relevancy, expectedStatements] = await allOf([
      askRetrieval(ask, [...inputs, ...outputs, ...texts], { documents: shown.length, sentences }),
      askRelevancy(ask, outputs, inputs),
      wanted.length === 0 ? null : askExpected(ask, [...wanted, ...inputs, ...texts]),
    ]);
    return { ...retrieval, ...relevancy, expectedStatements };
  };
}

/** Measures that need the output, the input, or documents. */
const OF_OUTPUT: ReadonlySet<RecallMeasure> = new Set(['faithfulness', 'answerRelevancy']);
const OF_INPUT: ReadonlySet<RecallMeasure> = new Set([
  'contextPrecision',
  'contextRelevancy',
  'answerRelevancy',
]);

/** Requests each of some measures alone. */
function measuresInquiry(
  measures: ReadonlySet<RecallMeasure>,
  { input, output, documents }: Subject,
  { expected = null }: AppliedDefinition,
): Inquiry<Answer> | NoInquiry {
  const { shown, sentences } = numberSentences(documents);
  const needs = (of: ReadonlySet<RecallMeasure>): boolean => !measures.isDisjointFrom(of);
  if (output === null && needs(OF_OUTPUT)) return noOutput(0);
  const isOfAnswerOnly = measures.size === 1 && measures.has('answerRelevancy');
  if (shown.length === 0 && !isOfAnswerOnly) return NO_DOCUMENTS;
  if (input === null && needs(OF_INPUT)) return NO_INPUT;
  if (expected === null && measures.size === 1 && measures.has('contextRecall'))
    return { skip: 'neither the example nor the link to the task has an `expected`' };
  const [inputs, outputs] = [promptInput('input', input), promptInput('output', output)];
  const texts = documentInputs(shown);
  const wanted = promptInput('expected', textOf(expected));
  const only = <T>(measure: RecallMeasure, inquiry: () => Promise<T>): Promise<T> | null =>
    measures.has(measure) ? inquiry() : null;
  return async (ask: Ask) => {
    const [documentsOf, relevantSentences, statements, relevancy, expectedStatements] = await allOf([
      only('contextPrecision', () => askDocuments(ask, [...inputs, ...wanted, ...texts], shown.length)),
      only('contextRelevancy', () => askSentences(ask, [...inputs, ...texts], sentences)),
      only('faithfulness', () => askStatements(ask, [...inputs, ...outputs, ...texts])),
      only('answerRelevancy', () => askRelevancy(ask, outputs, inputs)),
      wanted.length === 0
        ? null
        : only('contextRecall', () => askExpected(ask, [...wanted, ...inputs, ...texts])),
    ]);
    return {
      ...NOTHING,
      ...relevancy,
      documents: documentsOf,
      relevantSentences,
      statements,
      expectedStatements,
    };
  };
}

const minimumsOf = ({ config }: AppliedDefinition): RecallMinimums => ({
  ...DEFAULT_MINIMUMS,
  ...definitionConfigs.RECALL.parse(config).minimums,
});

/** Names the measures that do not reach their minimum. A measure without a value has none to reach. */
const below = (measures: Measures, minimums: RecallMinimums): (keyof Measures)[] =>
  (Object.keys(measures) as (keyof Measures)[]).filter((name) => {
    const value = measures[name];
    return value !== null && value < (minimums[name] ?? 0);
  });

const measuresOf = (answer: Answer, sentences: number): Measures => ({
  contextPrecision:
    answer.documents && averagePrecision(answer.documents.map(({ isRelevant }) => isRelevant)),
  contextRelevancy: answer.relevantSentences && settled(new Set(answer.relevantSentences).size / sentences),
  contextRecall: answer.expectedStatements && shareSupported(answer.expectedStatements),
  faithfulness: answer.statements && shareSupported(answer.statements),
  answerRelevancy: answer.questions && relevancyOf(answer.questions, answer.isNoncommittal === true),
});

const relevancyOf = (questions: RelevancyAnswer['questions'], isNoncommittal: boolean): number =>
  isNoncommittal ? 0 : settledMean(questions.map(({ match }) => (match === null ? 0 : MATCHES[match])));

const shareSupported = (statements: readonly { isSupported: boolean }[]): number | null =>
  statements.length === 0
    ? null
    : settled(statements.filter(({ isSupported }) => isSupported).length / statements.length);

/** Returns the mean of the precision at the rank of each relevant document; 0 when none is relevant. */
function averagePrecision(ranked: readonly boolean[]): number {
  let relevant = 0;
  const precisions = ranked.flatMap((isRelevant, index) => (isRelevant ? [++relevant / (index + 1)] : []));
  return relevant === 0 ? 0 : settledMean(precisions);
}

function averaged(measured: readonly Measures[]): Measures {
  const over = (name: RecallMeasure): number | null => {
    const values = measured.map((measures) => measures[name]).filter((value) => value !== null);
    return values.length === 0 ? null : settledMean(values);
  };
  return {
    contextPrecision: over('contextPrecision'),
    contextRelevancy: over('contextRelevancy'),
    contextRecall: over('contextRecall'),
    faithfulness: over('faithfulness'),
    answerRelevancy: over('answerRelevancy'),
  };
}
