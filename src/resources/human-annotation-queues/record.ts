import { nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';

export const queues = versionedRecord('annotation_queue', 'annotation queue', {
  topicId: nullable(text),
  title: text,
  assigneeId: nullable(text),
});
