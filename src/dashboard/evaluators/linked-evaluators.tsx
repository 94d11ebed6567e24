import type { ReactNode } from 'react';
import type { EvaluationDefinition, Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { RowAction } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Section } from '../ui/panel.tsx';

interface LinkedEvaluatorsProps {
  kind: 'task' | 'topic';
  id: string;
  /** Title of the task or topic. */
  title: string;
  /** Evaluators that are linked to it directly. */
  links: Task['evalDefinitions'];
}

/** Evaluators that the list offers. */
const MAX_EVALUATORS = 100;

/** Shows the evaluators that are linked to a task or a topic, links further ones and removes links. */
export function LinkedEvaluators({ kind, id, title, links }: LinkedEvaluatorsProps): ReactNode {
  const mayWrite = useScope('write');
  const targets = kind === 'task' ? { taskIds: [id] } : { topicIds: [id] };
  const changes = [kind === 'task' ? '/v0/tasks' : '/v0/topics'] as const;
  const link = useAction(changes, (api, evalId: string) =>
    api.POST('/v0/definitions/link', { body: { evalIds: [evalId], ...targets } }),
  );
  const unlink = useAction(changes, (api, evalId: string) =>
    api.POST('/v0/definitions/unlink', { body: { evalIds: [evalId], ...targets } }),
  );
  const { others, inherited } = useOtherEvaluators(kind, id, links);
  return (
    <Section
      title="Evaluators"
      actions={
        mayWrite &&
        others.length > 0 && (
          <Choice
            label="Link an evaluator"
            anyText="Link an evaluator"
            value=""
            choices={others.map((one) => [one.id, one.name])}
            onChoose={(evalId) => link.mutate(evalId)}
          />
        )
      }
    >
      <ErrorLine error={link.error ?? unlink.error} />
      {links.length + inherited.length === 0 && (
        <p className="py-1 text-dim">
          Nothing judges {kind === 'task' ? 'the tests of this task' : 'the tests of this topic'} yet.
          {mayWrite && others.length === 0 && (
            <>
              {' '}
              <AppLink href="/evaluators" className="text-accent underline">
                Create an evaluator
              </AppLink>
            </>
          )}
        </p>
      )}
      <ul>
        {links.map(({ evalDefinition, config }) => (
          <li key={evalDefinition.id} className="border-t border-line py-1">
            <span className="flex items-center gap-3">
              <Evaluator {...evalDefinition} />
              {mayWrite && (
                <RowAction
                  of={`${evalDefinition.name} from ${title}`}
                  onClick={() => unlink.mutate(evalDefinition.id)}
                >
                  Unlink
                </RowAction>
              )}
            </span>
            {config && <Expected value={config.expected} />}
          </li>
        ))}
        {inherited.map((one) => (
          <Inherited key={one.id} {...one} />
        ))}
      </ul>
    </Section>
  );
}

/** Returns the evaluators that can be linked, and those that apply to a task without a link of its own. */
function useOtherEvaluators(kind: 'task' | 'topic', id: string, links: Task['evalDefinitions']) {
  const all = useApi('/v0/definitions', {
    query: { limit: MAX_EVALUATORS, orderBy: 'name', orderDir: 'asc' },
  });
  const applied = useApi(
    '/v0/definitions',
    { query: { taskId: [id], limit: MAX_EVALUATORS } },
    { enabled: kind === 'task', version: links.length },
  );
  const linked = new Set(links.map(({ evalDefinition }) => evalDefinition.id));
  return {
    others: (all.data?.data ?? []).filter((one) => !linked.has(one.id)),
    inherited: (applied.data?.data ?? []).filter((one) => !linked.has(one.id)),
  };
}

type Named = Pick<EvaluationDefinition, 'id' | 'name' | 'type'>;

const Evaluator = ({ id, name, type }: Named): ReactNode => (
  <span className="min-w-0 grow truncate" title={name}>
    <AppLink href={`/evaluators/${id}`} className="text-ink hover:text-accent hover:underline">
      {name}
    </AppLink>{' '}
    <span className="text-label text-dim">{type}</span>
  </span>
);

const Inherited = (evaluator: Named): ReactNode => (
  <li className="flex items-center gap-3 border-t border-line py-1">
    <Evaluator {...evaluator} />
    <span className="shrink-0 text-label text-dim" title="Linked to its topic or to the application">
      inherited
    </span>
  </li>
);

/** Characters of an expected output that are shown. */
const MAX_EXPECTED = 300;

function Expected({ value }: { value: unknown }): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <p className="text-label break-words text-dim">
      Expected: {text.length > MAX_EXPECTED ? `${text.slice(0, MAX_EXPECTED)}…` : text}
    </p>
  );
}
