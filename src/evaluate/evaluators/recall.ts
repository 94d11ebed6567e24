import { z } from 'zod';
import type { JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict, mean } from '../judge/majority.ts';
import { settled } from '../statistics/settled.ts';
import { documentInputs, promptInput, NO_OUTPUT } from './prompt-inputs.ts';
import { numberSentences } from './sentences.ts';

const PASS_LINE = 0.5;
const QUESTIONS = 3;
const MATCHES = { same: 1, overlapping: 0.5, different: 0 } as const;

const judgements = z.object({
  documents: z.array(z.object({ document: z.int().min(1), rationale: z.string(), isRelevant: z.boolean() })),
  relevantSentences: z.array(z.int().min(1)),
  statements: z.array(z.object({ statement: z.string(), rationale: z.string(), isSupported: z.boolean() })),
  isNoncommittal: z.boolean(),
  questions: z.array(
    z.object({
      question: z.string(),
      rationale: z.string(),
      match: z.enum(Object.keys(MATCHES) as (keyof typeof MATCHES)[]),
    }),
  ),
});
type Answer = z.output<typeof judgements>;

const INSTRUCTIONS = `You look at what an application retrieved and what it made of it. The material holds the "input", the "output" that answers it, and the documents it retrieved as "document 1", "document 2" and so on, in the order in which it ranked them. Each line of a document is one sentence and begins with its number in brackets; the numbers run through all documents.

Judge one thing after the other, each for itself:
1. "documents": for every document, in order, its number, a rationale in one sentence, and whether it is of use in arriving at an answer to the input.
2. "relevantSentences": the numbers of all sentences that are needed to answer the input; none when there are none.
3. "statements": break the output down into simple statements that can be understood by themselves. For each give the statement, a rationale in one sentence, and whether it can be inferred from the documents alone, whatever you know yourself. Leave out greetings, questions and other sentences that state nothing.
4. "isNoncommittal": whether the output evades an answer, as by "I don't know".
5. "questions": write exactly ${QUESTIONS} different questions that the output, taken by itself, would be a fitting answer to. Compare each with the input, with a rationale in one sentence: "same" when it asks for the same thing, "overlapping" when it asks for a part of it or for more, "different" otherwise.`;

/** Requires each document and question once, and only existing sentences. */
const answerFor = (documents: number, sentences: number): z.ZodType<Answer> =>
  judgements
    .refine(
      (given) =>
        given.documents.length === documents &&
        given.documents.every(({ document }, index) => document === index + 1),
      { message: `must judge each of the documents 1 to ${documents} once, in order`, path: ['documents'] },
    )
    .refine((given) => given.relevantSentences.every((number) => number <= sentences), {
      message: `must be numbers from 1 to ${sentences}`,
      path: ['relevantSentences'],
    })
    .refine((given) => given.questions.length === QUESTIONS, {
      message: `must be ${QUESTIONS} questions`,
      path: ['questions'],
    });

/** Measures from 0 to 1. */
interface Measures {
  contextPrecision: number;
  contextRelevancy: number;
  /** Share of supported statements; null when the output makes none. */
  faithfulness: number | null;
  answerRelevancy: number;
}

/**
 * `RECALL`: judges retrieval and its use. The judge reports which documents and sentences are useful, which
 * statements are supported, and which questions the output answers. The measures are computed here as RAGAS defines
 * them (Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2024), with one exception: answer
 * relevancy uses three levels of `match` instead of the similarity of embeddings. The score is the mean of the
 * available measures and passes from 0.5. `results`: `{ measures, documents, statements, questions, isNoncommittal,
 * judgedDocuments, cutDocuments, retrievedDocuments }`; only the beginning of the documents in `cutDocuments` was
 * judged.
 */
export const recall: JudgedEvaluator<Answer> = {
  isJudged: true,
  reads: () => ['input', 'output', 'documents'],
  ask({ input, output, documents }) {
    const { shown, sentences } = numberSentences(documents);
    if (shown.length === 0) return { skip: 'the trace has no retrieved documents' };
    if (output === null) return { skip: NO_OUTPUT };
    if (input === null) return { skip: 'the trace has no input' };
    return {
      instructions: INSTRUCTIONS,
      inputs: [...promptInput('input', input), ...promptInput('output', output), ...documentInputs(shown)],
      answer: answerFor(shown.length, sentences),
    };
  },
  decide(answers, _definition, subject) {
    const { shown, sentences, inAll } = numberSentences(subject.documents);
    const measured = answers.map((answer) => measuresOf(answer, sentences));
    const opinions = answers.map((answer, index) => {
      const score = mean(Object.values(measured[index] as Measures).filter((value) => value !== null));
      return { answer, score, passed: score >= PASS_LINE };
    });
    return majorityVerdict(
      opinions,
      { min: 0, max: 1 },
      ({ documents, statements, questions, isNoncommittal }) => ({
        results: {
          measures: averaged(measured),
          documents,
          statements,
          questions,
          isNoncommittal,
          judgedDocuments: shown.length,
          cutDocuments: shown.flatMap(({ isTruncated }, index) => (isTruncated ? [index + 1] : [])),
          retrievedDocuments: inAll,
        },
        reason: null,
      }),
    );
  },
};

const measuresOf = (answer: Answer, sentences: number): Measures => ({
  contextPrecision: averagePrecision(answer.documents.map(({ isRelevant }) => isRelevant)),
  contextRelevancy: settled(new Set(answer.relevantSentences).size / sentences),
  faithfulness:
    answer.statements.length === 0
      ? null
      : settled(answer.statements.filter(({ isSupported }) => isSupported).length / answer.statements.length),
  answerRelevancy: answer.isNoncommittal ? 0 : mean(answer.questions.map(({ match }) => MATCHES[match])),
});

/** Returns the mean of the precision at the rank of each relevant document; 0 when none is relevant. */
function averagePrecision(ranked: readonly boolean[]): number {
  let relevant = 0;
  const precisions = ranked.flatMap((isRelevant, index) => (isRelevant ? [++relevant / (index + 1)] : []));
  return relevant === 0 ? 0 : mean(precisions);
}

function averaged(measured: readonly Measures[]): Measures {
  const over = (name: keyof Measures): number | null => {
    const values = measured.map((measures) => measures[name]).filter((value) => value !== null);
    return values.length === 0 ? null : mean(values);
  };
  return {
    contextPrecision: over('contextPrecision') ?? 0,
    contextRelevancy: over('contextRelevancy') ?? 0,
    faithfulness: over('faithfulness'),
    answerRelevancy: over('answerRelevancy') ?? 0,
  };
}
