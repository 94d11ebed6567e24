import { z } from 'zod';
import type { ReportColumn, Datasource } from './column.ts';
import { evalDatasource } from './eval-columns.ts';
import { humanAnnotationDatasource } from './human-annotation-columns.ts';
import { tagDatasource } from './tag-columns.ts';
import { taskDatasource } from './task-columns.ts';
import { testDatasource } from './test-columns.ts';
import { topicDatasource } from './topic-columns.ts';

export const datasourceId = z.enum(['task', 'test', 'eval', 'topic', 'tag', 'human_annotation']);
export type DatasourceId = z.output<typeof datasourceId>;

export const DATASOURCES: Readonly<Record<DatasourceId, Datasource>> = {
  task: taskDatasource,
  test: testDatasource,
  eval: evalDatasource,
  topic: topicDatasource,
  tag: tagDatasource,
  human_annotation: humanAnnotationDatasource,
};

/** Returns the column of a requested id. No other function turns a name of a request into a column. */
export function findColumn(datasource: DatasourceId, id: string): ReportColumn | undefined {
  const { columns } = DATASOURCES[datasource];
  return Object.hasOwn(columns, id) ? columns[id] : undefined;
}
