import type { ReactNode } from 'react';
import { Choice } from '../ui/choice.tsx';
import { TASK_STATUS_NAMES } from './words.ts';

interface StatusChoiceProps {
  value: string;
  onChoose: (status: string) => void;
}

/** Filters a list by the status that tasks, topics and evaluators have in common. */
export const StatusChoice = ({ value, onChoose }: StatusChoiceProps): ReactNode => (
  <Choice
    label="Status"
    anyText="Status: draft or active"
    value={value}
    choices={Object.entries(TASK_STATUS_NAMES)}
    onChoose={onChoose}
  />
);
