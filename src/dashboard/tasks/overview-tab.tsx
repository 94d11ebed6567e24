import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { EvaluatorRates } from '../evaluators/evaluator-rates.tsx';
import { RunsOverTime } from './runs-over-time.tsx';
import { Section } from '../ui/panel.tsx';
import { TaskMetricsPanel } from './task-metrics.tsx';
import { TaskTags } from './task-tags.tsx';

/** Shows how well the app does a task, and with which tags it is found. */
export const OverviewTab = ({ task }: { task: Task }): ReactNode => (
  <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,340px)] gap-6 p-4 max-[1000px]:grid-cols-1">
    <div className="grid content-start gap-5">
      {task.description !== '' && (
        <p className="text-reading break-words whitespace-pre-wrap">{task.description}</p>
      )}
      <TaskMetricsPanel task={task} />
      {task.judges && (
        <Section title="Judges, last 30 days">
          <EvaluatorRates label="Judges, last 30 days" rates={task.judges} />
        </Section>
      )}
      <RunsOverTime taskId={task.id} />
    </div>
    <div className="grid content-start gap-5">
      <TaskTags taskId={task.id} />
    </div>
  </div>
);
