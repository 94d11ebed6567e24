import { z } from 'zod';
import type { Ask, Question } from '../evaluator.ts';

/** Number of questions that the judge derives from the output. */
const QUESTIONS = 3;
export const MATCHES = { same: 1, overlapping: 0.5, different: 0 } as const;
type Match = keyof typeof MATCHES;
type Inputs = Question['inputs'];

const statement = z.object({ statement: z.string(), rationale: z.string(), isSupported: z.boolean() });
const retrieval = z.object({
  documents: z.array(z.object({ document: z.int().min(1), rationale: z.string(), isRelevant: z.boolean() })),
  relevantSentences: z.array(z.int().min(1)),
  statements: z.array(statement),
});
export type RetrievalAnswer = z.output<typeof retrieval>;

const RETRIEVAL = `Assess what an application retrieved and how it used it. You are given the "input", the "output" that answers it, and the retrieved documents as "document 1", "document 2" and so on, in the order of their ranking. Each line of a document is one sentence and begins with its number in brackets; the numbers continue across all documents.

Assess three things, each independently of the others:
1. "documents": for each document, in order, its number, a rationale in one sentence, and whether it is useful for answering the input.
2. "relevantSentences": the numbers of all sentences that are needed to answer the input; empty if there are none.
3. "statements": break the output down into simple statements that can be understood by themselves. For each give the statement, a rationale in one sentence, and whether it can be inferred from the documents alone, regardless of what you know yourself. Leave out greetings, questions and other sentences that state nothing.`;

const hasEach = (documents: number) => (given: { documents: { document: number }[] }) =>
  given.documents.length === documents &&
  given.documents.every(({ document }, index) => document === index + 1);
const eachDocument = (documents: number) => ({
  message: `must judge each of the documents 1 to ${documents} once, in order`,
  path: ['documents'],
});

const hasKnown = (sentences: number) => (given: { relevantSentences: number[] }) =>
  given.relevantSentences.every((number) => number <= sentences);
const knownSentences = (sentences: number) => ({
  message: `must be numbers from 1 to ${sentences}`,
  path: ['relevantSentences'],
});

/** Asks which documents and sentences are relevant, and which statements of the output they support. */
export const askRetrieval = (
  ask: Ask,
  inputs: Inputs,
  { documents, sentences }: { documents: number; sentences: number },
): Promise<RetrievalAnswer> =>
  ask({
    instructions: RETRIEVAL,
    inputs,
    answer: retrieval
      .refine(hasEach(documents), eachDocument(documents))
      .refine(hasKnown(sentences), knownSentences(sentences)),
  });

const GIVEN_DOCUMENTS =
  'the retrieved documents as "document 1", "document 2" and so on, in the order of their ranking. Each line of a document is one sentence and begins with its number in brackets; the numbers continue across all documents.';

const PRECISION = `Assess the documents that an application retrieved. You are given the "input", where it is known the "expected" answer, and ${GIVEN_DOCUMENTS}

"documents": for each document, in order, its number, a rationale in one sentence, and whether it is useful for arriving at the expected answer, or for answering the input if no answer is expected.`;

/** Asks which documents are useful, by what is expected if anything is. */
export const askDocuments = async (
  ask: Ask,
  inputs: Inputs,
  documents: number,
): Promise<RetrievalAnswer['documents']> => {
  const answer = retrieval.pick({ documents: true }).refine(hasEach(documents), eachDocument(documents));
  return (await ask({ instructions: PRECISION, inputs, answer })).documents;
};

const RELEVANCY = `Assess the sentences that an application retrieved. You are given the "input" and ${GIVEN_DOCUMENTS}

"relevantSentences": the numbers of all sentences that are needed to answer the input; empty if there are none.`;

/** Asks which sentences are needed. */
export const askSentences = async (ask: Ask, inputs: Inputs, sentences: number): Promise<number[]> => {
  const answer = retrieval
    .pick({ relevantSentences: true })
    .refine(hasKnown(sentences), knownSentences(sentences));
  return (await ask({ instructions: RELEVANCY, inputs, answer })).relevantSentences;
};

const FAITHFULNESS = `Assess whether an output is based on what an application retrieved. You are given the "output", where it is known the "input" that it answers, and ${GIVEN_DOCUMENTS}

"statements": break the output down into simple statements that can be understood by themselves. For each give the statement, a rationale in one sentence, and whether it can be inferred from the documents alone, regardless of what you know yourself. Leave out greetings, questions and other sentences that state nothing.`;

/** Asks which statements of the output the documents support. */
export const askStatements = async (ask: Ask, inputs: Inputs): Promise<RetrievalAnswer['statements']> => {
  const answer = retrieval.pick({ statements: true });
  return (await ask({ instructions: FAITHFULNESS, inputs, answer })).statements;
};

const expectedStatements = z.object({ statements: z.array(statement).min(1) });
export type ExpectedStatements = z.output<typeof expectedStatements>['statements'];

const EXPECTED = `Assess whether an application retrieved what the expected answer is based on. You are given the "expected" answer, the "input", and the retrieved documents as "document 1", "document 2" and so on.

"statements": break the expected answer down into simple statements that can be understood by themselves. For each give the statement, a rationale in one sentence, and whether it can be inferred from the documents alone, regardless of what you know yourself.`;

/** Asks which statements of the expected answer the documents support. */
export const askExpected = async (ask: Ask, inputs: Inputs): Promise<ExpectedStatements> =>
  (await ask({ instructions: EXPECTED, inputs, answer: expectedStatements })).statements;

export interface RelevancyAnswer {
  isNoncommittal: boolean;
  /** Questions that the output answers; `match` and `rationale` are null when they were not compared. */
  questions: { question: string; rationale: string | null; match: Match | null }[];
}

const GENERATION = `Write questions that a text answers. You are given the "output" of an application, without the question that it was asked.

1. "isNoncommittal": whether the output evades an answer, for example with "I don't know".
2. "questions": exactly ${QUESTIONS} different questions to which the output would be a fitting answer.`;

const generated = z.object({
  isNoncommittal: z.boolean(),
  questions: z
    .array(z.string())
    .refine((given) => given.length === QUESTIONS, `must be ${QUESTIONS} questions`),
});

const COMPARISON = `Compare questions. You are given an "input" and "question 1" to "question ${QUESTIONS}". For each question, in order, give its number, a rationale in one sentence, and its match with the input: "same" if it asks for the same thing, "overlapping" if it asks for a part of it or for more, "different" otherwise.`;

const compared = z
  .object({
    comparisons: z.array(
      z.object({
        question: z.int().min(1),
        rationale: z.string(),
        match: z.enum(Object.keys(MATCHES) as Match[]),
      }),
    ),
  })
  .refine(
    ({ comparisons }) =>
      comparisons.length === QUESTIONS && comparisons.every(({ question }, index) => question === index + 1),
    { message: `must compare each of the questions 1 to ${QUESTIONS} once, in order`, path: ['comparisons'] },
  );

/**
 * Requests questions that the output answers, in a request that does not show the input, and then how they match the
 * input. Does not compare the questions of a noncommittal output.
 */
export async function askRelevancy(ask: Ask, output: Inputs, input: Inputs): Promise<RelevancyAnswer> {
  const { isNoncommittal, questions } = await ask({
    instructions: GENERATION,
    inputs: output,
    answer: generated,
  });
  if (isNoncommittal)
    return {
      isNoncommittal,
      questions: questions.map((question) => ({ question, rationale: null, match: null })),
    };
  const numbered = questions.map((text, index) => ({ label: `question ${index + 1}`, text }));
  const { comparisons } = await ask({
    instructions: COMPARISON,
    inputs: [...input, ...numbered],
    answer: compared,
  });
  return {
    isNoncommittal,
    questions: comparisons.map(({ rationale, match }, index) => ({
      question: questions[index] as string,
      rationale,
      match,
    })),
  };
}
