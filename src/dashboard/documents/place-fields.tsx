import type { ReactNode } from 'react';
import { TopicSelect } from '../topics/topic-select.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { DOCUMENT_TYPES, type DocumentType } from './words.tsx';

/** Fields of every new document, wherever its text comes from. */
export interface NewDocumentFields {
  type: DocumentType;
  /** Empty for none. */
  topicId: string;
  /** Empty for none. */
  assignee: string;
}

export const NO_PLACE: NewDocumentFields = { type: 'KNOWLEDGE', topicId: '', assignee: '' };

/** Returns these fields as the API takes them. */
export const placeBody = ({ type, topicId, assignee }: NewDocumentFields) => ({
  type,
  topicId: topicId === '' ? null : topicId,
  assignee: assignee.trim() === '' ? null : assignee.trim(),
});

interface PlaceFieldsProps {
  value: NewDocumentFields;
  onChange: (patch: Partial<NewDocumentFields>) => void;
}

/** Asks what new documents are for. */
export function PlaceFields({ value: { type, topicId, assignee }, onChange }: PlaceFieldsProps): ReactNode {
  return (
    <div className="grid grid-cols-3 items-start gap-4">
      <SelectField
        label="Type"
        value={type}
        choices={Object.entries(DOCUMENT_TYPES)}
        onChange={({ target }) => onChange({ type: target.value as DocumentType })}
      />
      <TopicSelect value={topicId} onChange={({ target }) => onChange({ topicId: target.value })} />
      <TextField
        label="Assigned to"
        help="Who checks it."
        maxLength={256}
        value={assignee}
        onChange={({ target }) => onChange({ assignee: target.value })}
      />
    </div>
  );
}
