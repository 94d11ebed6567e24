import { allOf } from '../../runtime/all-of.ts';
import { definitionConfigs, type RecallMinimums } from '../definition-config.ts';
import type { AppliedDefinition, JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import { settledMean } from '../statistics/settled.ts';
import { settled } from '../statistics/settled.ts';
import { textOf } from '../subject.ts';
import { documentInputs, promptInput, noOutput } from './prompt-inputs.ts';
import {
  askExpected,
  askRelevancy,
  askRetrieval,
  type ExpectedStatements,
  MATCHES,
  type RelevancyAnswer,
  type RetrievalAnswer,
} from './recall-questions.ts';
import { numberSentences } from './sentences.ts';

const PASS_LINE = 0.5;
/** An output of which most statements have no support never passes by its other measures. */
const DEFAULT_MINIMUMS: RecallMinimums = { faithfulness: 0.5 };

interface Answer extends RetrievalAnswer, RelevancyAnswer {
  /** Statements of the expected answer; null when none is expected. */
  expectedStatements: ExpectedStatements | null;
}

/** Measures from 0 to 1. */
interface Measures {
  contextPrecision: number;
  contextRelevancy: number;
  /** Share of the statements of the expected answer that the documents support; null when none is expected. */
  contextRecall: number | null;
  /** Share of supported statements; null when the output makes none. */
  faithfulness: number | null;
  answerRelevancy: number;
}

/**
 * `RECALL`: judges retrieval and its use. The judge reports which documents and sentences are useful, which
 * statements are supported, and which questions the output answers. The measures are computed here as RAGAS defines
 * them (Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2024), with one exception: answer
 * relevancy uses three levels of `match` instead of the similarity of embeddings. The score is the mean of the
 * available measures. It passes from 0.5 if each measure reaches its minimum: `globalConfig.minimums`, else 0.5 for
 * faithfulness. `results`: `{ measures, belowMinimum, documents, statements, expectedStatements, questions,
 * isNoncommittal, judgedDocuments, cutDocuments, retrievedDocuments }`; only the beginning of the documents in
 * `cutDocuments` was judged.
 */
export const recall: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['input', 'output', 'documents'],
  inquiry({ input, output, documents }, { expected }) {
    const { shown, sentences } = numberSentences(documents);
    if (output === null) return noOutput(0);
    if (shown.length === 0) return { skip: 'the trace has no retrieved documents' };
    if (input === null) return { skip: 'the trace has no input' };
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
  },
  decide(answers, definition, subject) {
    const { shown, sentences, inAll } = numberSentences(subject.documents);
    const minimums = minimumsOf(definition);
    const measured = answers.map((answer) => measuresOf(answer, sentences));
    const opinions = answers.map((answer, index) => {
      const measures = measured[index] as Measures;
      const score = settledMean(Object.values(measures).filter((value) => value !== null));
      return { answer, score, passed: score >= PASS_LINE && below(measures, minimums).length === 0 };
    });
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
  contextPrecision: averagePrecision(answer.documents.map(({ isRelevant }) => isRelevant)),
  contextRelevancy: settled(new Set(answer.relevantSentences).size / sentences),
  contextRecall: answer.expectedStatements && shareSupported(answer.expectedStatements),
  faithfulness: shareSupported(answer.statements),
  answerRelevancy: answer.isNoncommittal
    ? 0
    : settledMean(answer.questions.map(({ match }) => (match === null ? 0 : MATCHES[match]))),
});

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
  const over = (name: keyof Measures): number | null => {
    const values = measured.map((measures) => measures[name]).filter((value) => value !== null);
    return values.length === 0 ? null : settledMean(values);
  };
  return {
    contextPrecision: over('contextPrecision') ?? 0,
    contextRelevancy: over('contextRelevancy') ?? 0,
    contextRecall: over('contextRecall'),
    faithfulness: over('faithfulness'),
    answerRelevancy: over('answerRelevancy') ?? 0,
  };
}
