import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Application } from './contract.ts';

type Row = Omit<Application, 'humanAnnotationEnabled' | 'createdAt' | 'modifiedAt'> &
  Record<'humanAnnotation' | 'createdAt' | 'modifiedAt', number>;

/** An application, which has to be there: whoever asks has shown a key of it. */
export function readApplication(database: Database, { application }: { application: number }): Application {
  const row = database.get<Row>(
    `SELECT id, org_id AS orgId, title, slug, description, context, language, type, environment,
            human_annotation_enabled AS humanAnnotation, created_at AS createdAt, modified_at AS modifiedAt
     FROM application WHERE application = ?`,
    application,
  );
  if (!row) throw new Error(`no application ${application}`);
  const { humanAnnotation, createdAt, modifiedAt, ...rest } = row;
  return {
    ...rest,
    humanAnnotationEnabled: humanAnnotation === 1,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
  };
}
