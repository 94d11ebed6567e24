import { type ReactNode, useState } from 'react';
import type { Example, ExampleVersion } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { Moment } from '../ui/cells.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { WordDiff } from '../ui/word-diff.tsx';
import { valueText } from './example-draft.ts';

const FIELDS = [
  ['input', 'Input'],
  ['expected', 'Expected output'],
  ['rubric', 'Rubric'],
  ['rubrics', 'Rubrics by evaluator'],
  ['split', 'Subset'],
  ['tags', 'Tags'],
  ['metadata', 'Metadata'],
  ['weight', 'Weight'],
  ['status', 'Status'],
] as const;
type Field = (typeof FIELDS)[number][0];

/** Shows what each version of an example changed, newest first. */
export function ExampleVersions({ taskId, example }: { taskId: string; example: Example }): ReactNode {
  const [isShown, setShown] = useState(false);
  const { id, version } = example;
  return (
    <Section
      title={isShown ? 'Versions' : `Version ${version}`}
      actions={
        version > 1 && !isShown && <Button onClick={() => setShown(true)}>Show what was changed</Button>
      }
    >
      {isShown && <Changes taskId={taskId} exampleId={id} />}
    </Section>
  );
}

function Changes({ taskId, exampleId }: { taskId: string; exampleId: string }): ReactNode {
  const versions = useApi('/v0/tasks/{id}/examples/{exampleId}/versions', {
    path: { id: taskId, exampleId },
  });
  return (
    <Loaded of={versions}>
      {({ data }) => (
        <ol aria-label="Versions">
          {data.map((version, index) => (
            <Change key={version.version} version={version} before={data[index + 1]} />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

interface ChangeProps {
  version: ExampleVersion;
  /** Absent for the oldest one that is kept. */
  before: ExampleVersion | undefined;
}

function Change({ version, before }: ChangeProps): ReactNode {
  const shown = (of: ExampleVersion, name: Field): string =>
    name === 'tags' ? of.tags.join(', ') : valueText(of[name]);
  const changed = FIELDS.filter(([name]) => before && shown(version, name) !== shown(before, name));
  return (
    <li className="grid gap-1 border-t border-line py-2">
      <p className="flex gap-2">
        <span className="font-semibold">Version {version.version}</span>
        {before?.replacedAt ? (
          <Moment at={before.replacedAt} />
        ) : (
          <span className="text-dim">
            {version.version === 1 ? 'as it was added' : 'the oldest that is kept'}
          </span>
        )}
      </p>
      {changed.map(([name, title]) => (
        <div key={name} className="grid grid-cols-[110px_minmax(0,1fr)] gap-2">
          <span className="text-dim">{title}</span>
          <WordDiff a={before ? shown(before, name) : ''} b={shown(version, name)} />
        </div>
      ))}
      {before && changed.length === 0 && <p className="text-dim">Only its key was changed.</p>}
    </li>
  );
}
