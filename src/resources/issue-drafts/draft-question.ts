import { z } from 'zod';
import type { Question } from '../../evaluate/evaluator.ts';
import type { EvaluatorDraft } from './draft-contract.ts';
import type { DraftBrief } from './draft-store.ts';

const MAX_NAME = 100;
const MAX_CRITERION = 10_000;

const answer = z.object({ rationale: z.string(), name: z.string(), criterion: z.string() });
type DraftAnswer = z.output<typeof answer>;

const INSTRUCTIONS = `You write a criterion by which a judge model decides whether a response of an application has one problem. The text "problem" is its title. Each text "note <number>" is what a person noticed, with the words of the response that the note quotes, if any. Each text "input <number>" and "output <number>" is a request and its response that have the problem.

Write the criterion as a statement about a good response, so that a response with the problem does not meet it, and one without the problem meets it, also if the problem has nothing to do with it. Say what exactly is wrong and what is right, in general words that hold for responses that you have not seen; name no details of single responses. Five sentences at most. The name has at most six words, such as "Requests the order number". The rationale says in one sentence how the notes led to the criterion. Use the language of the notes.`;

/** Returns the question for a criterion. The notes and responses of the draft half are data, beside the instructions. */
export const draftQuestion = ({ title, notes, responses }: DraftBrief): Question<DraftAnswer> => ({
  instructions: INSTRUCTIONS,
  inputs: [
    { label: 'problem', text: title },
    ...notes.map(({ text, quote }, index) => ({
      label: `note ${index + 1}`,
      text: quote === null ? text : `${text}\nQuotes: ${quote}`,
    })),
    ...responses.flatMap(({ input, output }, index) => [
      ...(input === null ? [] : [{ label: `input ${index + 1}`, text: input }]),
      ...(output === null ? [] : [{ label: `output ${index + 1}`, text: output }]),
    ]),
  ],
  answer,
});

/** Returns the draft of an answer; null if it has no criterion. */
export function evaluatorDraftOf({ name, criterion, rationale }: DraftAnswer): EvaluatorDraft | null {
  const trimmed = criterion.trim().slice(0, MAX_CRITERION).toWellFormed();
  if (trimmed === '') return null;
  const title = name.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return {
    name: title.slice(0, MAX_NAME).toWellFormed(),
    criterion: trimmed,
    rationale: rationale.trim().slice(0, 1_000).toWellFormed(),
  };
}
