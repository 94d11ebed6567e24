import type { Inquiry, NoInquiry, Question } from '../evaluator.ts';
import { type Subject, textOf } from '../subject.ts';

type PromptInputs = Question['inputs'];

/** Returns the verdict on an app that gave no answer: it fails with the lowest score of the type. */
export const noOutput = (lowestScore: number): NoInquiry => ({
  fail: 'the app gave no answer: the trace has no output',
  score: lowestScore,
});

/** Returns a value of a trace as a text for the judge; an empty list when no span has it. */
export function promptInput(label: string, value: Subject['input']): PromptInputs {
  const text = textOf(value);
  return text === null ? [] : [{ label, text }];
}

/** Returns the texts of documents, numbered from 1. */
export const documentInputs = (documents: readonly { text: string; isTruncated?: boolean }[]): PromptInputs =>
  documents.map(({ text, isTruncated }, index) => ({
    label: `document ${index + 1}${isTruncated ? ' (its beginning)' : ''}`,
    text,
  }));

/** Returns the inquiry about an output, with the input that it responds to if there is one. */
export function outputInquiry<Answer>(
  { input, output }: Pick<Subject, 'input' | 'output'>,
  question: Pick<Question<Answer>, 'instructions' | 'answer'>,
): Inquiry<Answer> | NoInquiry {
  if (output === null) return noOutput(1);
  const inputs = [...promptInput('output', output), ...promptInput('input', input)];
  return (ask) => ask({ ...question, inputs });
}
