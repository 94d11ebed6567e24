import { type ReactNode, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { SuggestedGroup } from '../../api/generated/schema.ts';
import { useAction, useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { costBasis, modelProblem, priceOf, spentText } from './model-cost.ts';

interface SuggestedGroupsProps {
  /** Notes to group; empty for the newest that have no issue. */
  noteIds: readonly string[];
  onClose: () => void;
}

/** Asks a model for groups of notes, the cost first, and lists them: nothing is created before a person accepts one. */
export function SuggestedGroups({ noteIds, onClose }: SuggestedGroupsProps): ReactNode {
  const body = noteIds.length === 0 ? {} : { noteIds: [...noteIds] };
  const estimate = useCall('/v0/notes', { query: { estimate: noteIds.join(' ') } }, (api) =>
    api.POST('/v0/issues/suggest', { body: { ...body, dryRun: true } }),
  );
  const ask = useAction([], (api, given: typeof body) => api.POST('/v0/issues/suggest', { body: given }));
  const found = ask.data?.data;
  const dry = estimate.data?.data;
  const problem = dry ? modelProblem(dry.expected) : null;
  return (
    <div className="border-b border-line p-4">
      <Section
        title="Suggested groups"
        actions={
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        }
      >
        <div className="grid max-w-[820px] grid-cols-1 gap-3">
          {!found && (
            <>
              <p className="text-dim">
                A model reads the notes and says which describe the same problem. Each group is a suggestion:
                you change it, accept it or dismiss it. Nothing is created before.
              </p>
              <div className="flex flex-wrap items-center gap-3">
                <Button
                  look="primary"
                  disabled={!dry || problem !== null || dry.notes === 0 || ask.isPending}
                  onClick={() =>
                    ask.mutate(body, {
                      onSuccess: ({ data }) =>
                        announce(
                          data.groups.length === 1
                            ? '1 group suggested'
                            : `${data.groups.length} groups suggested`,
                        ),
                    })
                  }
                >
                  {ask.isPending
                    ? 'Asking the model …'
                    : dry
                      ? `Suggest groups of ${formatWhole(dry.notes)} ${dry.notes === 1 ? 'note' : 'notes'}${problem === null ? ` (${priceOf(dry.expected)})` : ''}`
                      : 'Suggest groups'}
                </Button>
                <span className="text-label text-dim">
                  {dry &&
                    (problem ?? (dry.notes === 0 ? 'Every note has an issue.' : costBasis(dry.expected)))}
                  {dry &&
                    dry.leftOut > 0 &&
                    ` ${formatWhole(dry.leftOut)} older notes are left for the next time.`}
                </span>
              </div>
            </>
          )}
          <ErrorLine error={ask.error ?? estimate.error} />
          {found && <Suggestions groups={found.groups} />}
          {found && (
            <p className="text-label text-dim">
              {found.ungrouped.length > 0 &&
                `${formatWhole(found.ungrouped.length)} ${found.ungrouped.length === 1 ? 'note fits' : 'notes fit'} no group and ${found.ungrouped.length === 1 ? 'stays' : 'stay'} below. `}
              {spentText(found.spent)}
            </p>
          )}
        </div>
      </Section>
    </div>
  );
}

function Suggestions({ groups }: { groups: readonly SuggestedGroup[] }): ReactNode {
  if (groups.length === 0) return <p>The model found no notes about the same problem.</p>;
  return (
    <ul aria-label="Suggested groups" className="grid grid-cols-1 gap-3">
      {groups.map((group) => (
        <Suggestion key={group.notes[0]?.id} group={group} />
      ))}
    </ul>
  );
}

/** Shows one suggestion, which a person changes, accepts or dismisses. */
function Suggestion({ group }: { group: SuggestedGroup }): ReactNode {
  const { notes, issue } = group;
  const [title, setTitle] = useState(group.title);
  const [description, setDescription] = useState(group.description);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [isNew, setNew] = useState(issue === null);
  const [isDismissed, setDismissed] = useState(false);
  const noteIds = notes.map(({ id }) => id).filter((id) => !leftOut.has(id));
  const [made, setMade] = useState<number | null>(null);
  const accept = useAction(['/v0/issues', '/v0/notes'], async (api, given: { number: number | null }) => {
    let { number } = given;
    if (number === null) {
      const body = { source: 'HUMAN_ANNOTATION', title: title.trim(), description } as const;
      number = (await answerOf(api.POST('/v0/issues', { body }))).data.number;
      // It stays when the links fail, and gets them by the next attempt.
      setMade(number);
    }
    await answerOf(
      api.POST('/v0/issues/{id}/links', { params: { path: { id: String(number) } }, body: { noteIds } }),
    );
    return api.GET('/v0/issues/{id}', { params: { path: { id: String(number) } } });
  });
  if (isDismissed) return null;
  const accepted = accept.data?.data;
  if (accepted)
    return (
      <li className="rounded-md border border-line px-3 py-2">
        ✓ {formatWhole(noteIds.length)} {noteIds.length === 1 ? 'note is' : 'notes are'} evidence for{' '}
        <AppLink href={`/issues/${accepted.number}`} className="text-accent underline">
          #{accepted.number} {accepted.title}
        </AppLink>
      </li>
    );
  return (
    <li
      aria-label={`Suggestion: ${group.title}`}
      className="grid grid-cols-1 gap-2 rounded-md border border-edge px-3 py-2"
    >
      {issue !== null && (
        <CheckField checked={!isNew} onChange={(isKnown) => setNew(!isKnown)}>
          <span>
            Add to the open issue #{issue.number} <span dir="auto">{issue.title}</span>
          </span>
        </CheckField>
      )}
      {isNew && (
        <>
          <TextField
            label="Title"
            required
            maxLength={256}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
          <TextArea
            label="Description"
            rows={2}
            maxLength={10_000}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </>
      )}
      <ul aria-label="Notes of the suggestion" className="[overflow-wrap:anywhere]">
        {notes.map(({ id, text, quote }) => (
          <li key={id}>
            <CheckField
              checked={!leftOut.has(id)}
              onChange={(isIn) =>
                setLeftOut(new Set(isIn ? [...leftOut].filter((one) => one !== id) : [...leftOut, id]))
              }
            >
              <span dir="auto">
                {text}
                {quote !== null && <span className="text-dim"> “{quote}”</span>}
              </span>
            </CheckField>
          </li>
        ))}
      </ul>
      <ErrorLine error={accept.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          disabled={accept.isPending || noteIds.length === 0 || (isNew && title.trim() === '')}
          onClick={() => accept.mutate({ number: made ?? (isNew ? null : (issue?.number ?? null)) })}
        >
          {isNew
            ? `Create an issue of ${formatWhole(noteIds.length)}`
            : `Add ${formatWhole(noteIds.length)} to #${issue?.number}`}
        </Button>
        <Button disabled={accept.isPending} onClick={() => setDismissed(true)}>
          Dismiss
        </Button>
      </div>
    </li>
  );
}
