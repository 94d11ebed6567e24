import { nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';

export const queues = record('annotation_queue', 'annotation queue', {
  topicId: nullable(text),
  title: text,
  assigneeId: nullable(text),
});
