import { z } from 'zod';
import type { Question } from '../../evaluate/evaluator.ts';
import type { SuggestedGroup } from './contract.ts';
import { MAX_DESCRIPTION, MAX_GROUP_TITLE } from './contract.ts';
import type { IssueToOffer, NoteToGroup } from './group-store.ts';

/** Limits of characters that the model is shown: of a note, of the words that it quotes, and of all notes. */
const MAX_NOTE = 600;
const MAX_QUOTE = 300;
const MAX_ALL = 60_000;
const MAX_GROUPS = 30;

const answer = z.object({
  groups: z
    .array(
      z.object({
        title: z.string(),
        description: z.string(),
        /** Numbers of the notes. */
        notes: z.array(z.int()),
        /** Number of the open issue that the notes belong to; null for a new one. */
        issue: z.int().nullable(),
      }),
    )
    .max(MAX_GROUPS),
});
export type GroupAnswer = z.output<typeof answer>;

const INSTRUCTIONS = `You sort notes of people on responses of an application by the problem that they describe. Each text "note <number>" is one note, with the words of the response that it quotes, if any. Each text "issue <number>" is the title of a problem that is known already.

Put notes into one group only if one change of the application would likely solve all of them. A note belongs to one group at most; leave out notes that praise, that describe no problem, or that fit no other note and no issue. For each group give a title of at most ten words that says what the application does wrong, a description of one or two sentences that says what it does and what it should do, the numbers of its notes, and the number of the issue if it is that problem, else null. Use the language of the notes.`;

/** Returns as many of the first notes as one call may show. */
export function notesToShow(notes: readonly NoteToGroup[]): NoteToGroup[] {
  let left = MAX_ALL;
  return notes.filter((note) => (left -= textOf(note).length) >= 0);
}

function textOf({ text, quote }: NoteToGroup): string {
  const words = quote === null ? '' : `\nQuotes: ${quote.slice(0, MAX_QUOTE)}`;
  return `${text.slice(0, MAX_NOTE)}${words}`.toWellFormed();
}

/** Returns the question for groups of notes. Notes and titles of issues are data, beside the instructions. */
export const groupQuestion = (
  notes: readonly NoteToGroup[],
  issues: readonly IssueToOffer[],
): Question<GroupAnswer> => ({
  instructions: INSTRUCTIONS,
  inputs: [
    ...issues.map(({ number, title }) => ({ label: `issue ${number}`, text: title })),
    ...notes.map((note, index) => ({ label: `note ${index + 1}`, text: textOf(note) })),
  ],
  answer,
});

/**
 * Returns the groups of an answer that can be used: of notes and issues that exist, each note in its first group only. The words are those
 * of a model that has read texts of others, and nothing but words.
 */
export function groupsOf(
  { groups }: GroupAnswer,
  notes: readonly NoteToGroup[],
  issues: readonly IssueToOffer[],
): { groups: SuggestedGroup[]; ungrouped: string[] } {
  const free = new Map(notes.map((note) => [note.id, note]));
  const byNumber = new Map(issues.map((issue) => [issue.number, issue]));
  const found = groups.flatMap(({ title, description, notes: numbers, issue: number }): SuggestedGroup[] => {
    const grouped = [...new Set(numbers)].flatMap((place) => free.get(notes[place - 1]?.id ?? '') ?? []);
    const issue = number === null ? null : (byNumber.get(number) ?? null);
    const named = oneLine(title).slice(0, MAX_GROUP_TITLE).toWellFormed();
    if (grouped.length === 0 || (named === '' && issue === null)) return [];
    for (const { id } of grouped) free.delete(id);
    return [
      {
        title: named === '' ? (issue?.title ?? '') : named,
        description: description.trim().slice(0, MAX_DESCRIPTION).toWellFormed(),
        notes: grouped,
        issue,
      },
    ];
  });
  return {
    groups: found.toSorted((a, b) => b.notes.length - a.notes.length),
    ungrouped: [...free.keys()],
  };
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
