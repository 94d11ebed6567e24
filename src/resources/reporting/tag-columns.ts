import type { Datasource } from './column.ts';
import { measureColumn, enumColumn, relation, TAG, stringColumn, times } from './column-kinds.ts';

export const tagDatasource: Datasource = {
  title: 'Tags',
  description: 'Labels of tasks.',
  table: 'tag',
  columns: {
    id: relation('Tag', TAG, 'tag.id', 'The tag itself.'),
    ...times('tag'),
    status: enumColumn('Status', ['ACTIVE', 'ARCHIVED'], 'tag.status', 'Status of the tag.'),
    color: stringColumn('Color', 'tag.color', 'Color as a hex code.'),
    tasks: measureColumn(
      'Tasks',
      null,
      `(SELECT count(*) FROM task_tag WHERE task_tag.application = tag.application AND task_tag.tag_id = tag.id)`,
      'Number of tasks with the tag, with any status.',
    ),
  },
};
