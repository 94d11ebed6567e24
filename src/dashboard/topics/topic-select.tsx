import type { ReactNode } from 'react';
import { SelectField } from '../ui/field.tsx';
import { useTopics } from './use-topics.ts';

interface TopicSelectProps {
  /** Id of the topic; empty for none. */
  value: string;
  problem?: string | undefined;
  disabled?: boolean;
  onChange: (event: { target: { value: string } }) => void;
}

/** Chooses the topic of a record. */
export function TopicSelect(props: TopicSelectProps): ReactNode {
  const topics = useTopics();
  return (
    <SelectField label="Topic" {...props}>
      <option value="">None</option>
      {topics.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}
