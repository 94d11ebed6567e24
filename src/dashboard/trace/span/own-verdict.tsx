import { type ReactNode, useRef, useState } from 'react';
import type { CreateAnnotationBody, EvaluationDefinition } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { useAction } from '../../api/use-api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/panel.tsx';
import { announce } from '../../ui/status-line.tsx';

/** Characters that a critique of a failed trace has at least. */
const MIN_CRITIQUE = 20;

/** Verdict of the person; null makes the critique a note. */
type Said = 'pass' | 'fail' | 'unsure' | null;

const EMPTY = { criterion: '', said: null as Said, critique: '', corrected: '' };

const useAddVerdict = (traceId: string) =>
  useAction(['/v0/human-annotations'], (api, body: Omit<CreateAnnotationBody, 'traceId' | 'source'>) =>
    api.POST('/v0/human-annotations', { body: { ...body, traceId, source: 'TRACE_PAGE' } }),
  );

interface OwnVerdictProps {
  traceId: string;
  /** Evaluators whose criteria can be chosen. */
  criteria: readonly Pick<EvaluationDefinition, 'id' | 'name'>[];
}

/** Adds a verdict or a note of the person at the page, on one criterion or on the complete trace. */
export function OwnVerdict({ traceId, criteria }: OwnVerdictProps): ReactNode {
  const mayWrite = useScope('write');
  const mayAnnotate = useScope('annotate') || mayWrite;
  const [given, setGiven] = useState(EMPTY);
  const add = useAddVerdict(traceId);
  // A second click comes before the button is disabled.
  const isSaving = useRef(false);
  if (!mayAnnotate) return null;
  const { criterion, said } = given;
  const change = (patch: Partial<typeof EMPTY>): void => setGiven({ ...given, ...patch });
  const [critique, corrected] = [given.critique.trim(), given.corrected.trim()];
  const isReady = said === 'fail' ? critique.length >= MIN_CRITIQUE : said !== null || critique !== '';
  const save = (): void => {
    if (!isReady || isSaving.current) return;
    isSaving.current = true;
    const verdict = said === 'pass' || said === 'fail' ? said === 'pass' : null;
    add.mutate(
      {
        evalDefinitionId: criterion || null,
        verdict,
        unsure: said === 'unsure',
        critique: critique || null,
        correctedOutput: corrected || null,
      },
      {
        onSettled: () => {
          isSaving.current = false;
        },
        onSuccess: () => {
          setGiven({ ...EMPTY, criterion });
          announce(said === null ? 'Note saved' : 'Verdict saved');
        },
      },
    );
  };
  return (
    <Section title="Your verdict">
      <Form className="grid gap-2" onSubmit={save}>
        <SelectField
          label="Criterion"
          help="An evaluator counts the verdicts on its own criterion. Your earlier verdict on the same one is replaced."
          value={criterion}
          choices={[['', 'The complete trace'], ...criteria.map(({ id, name }) => [id, name] as const)]}
          onChange={({ target }) => change({ criterion: target.value })}
        />
        <Choices said={said} onChoose={(chosen) => change({ said: chosen === said ? null : chosen })} />
        <TextArea
          label="Critique"
          help={
            said === 'fail'
              ? `What is wrong with it, in at least ${MIN_CRITIQUE} characters.`
              : 'What is good or bad about it. Optional with a verdict; without one, it is a note.'
          }
          rows={3}
          maxLength={2_048}
          value={given.critique}
          onChange={({ target }) => change({ critique: target.value })}
        />
        <TextArea
          label="Corrected output"
          help="What the output should have been. An example made of this trace expects it. Optional."
          rows={3}
          value={given.corrected}
          onChange={({ target }) => change({ corrected: target.value })}
        />
        <div>
          <Button type="submit" look="primary" disabled={!isReady || add.isPending}>
            {said === null && critique !== '' ? 'Save the note' : 'Save the verdict'}
          </Button>
        </div>
        {add.error !== null && <ErrorPanel error={add.error} />}
      </Form>
    </Section>
  );
}

const CHOICES = [
  ['pass', '✓ Pass'],
  ['fail', '✕ Fail'],
  ['unsure', '? Unsure'],
] as const;

const Choices = ({ said, onChoose }: { said: Said; onChoose: (said: Said) => void }): ReactNode => (
  <div role="group" aria-label="Verdict" className="flex gap-2">
    {CHOICES.map(([choice, text]) => (
      <Button
        key={choice}
        look={said === choice ? 'chosen' : 'plain'}
        aria-pressed={said === choice}
        onClick={() => onChoose(choice)}
      >
        {text}
      </Button>
    ))}
  </div>
);
