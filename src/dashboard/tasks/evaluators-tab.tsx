import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { LinkedEvaluators } from '../evaluators/linked-evaluators.tsx';

/** Shows by what the tests of a task are judged, and changes it. */
export const EvaluatorsTab = ({ task: { id, title, evalDefinitions } }: { task: Task }): ReactNode => (
  <div className="max-w-[680px] p-4">
    <LinkedEvaluators kind="task" id={id} title={title} links={evalDefinitions} />
  </div>
);
