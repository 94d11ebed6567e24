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
  const choices = topics.map(({ id, title }) => [id, title] as const);
  return <SelectField label="Topic" choices={[['', 'None'], ...choices]} {...props} />;
}
