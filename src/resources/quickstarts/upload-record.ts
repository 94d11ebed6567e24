import { asIs, json, number, optional, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { UploadWithReport } from './upload-contract.ts';

export const uploads = record('upload', 'upload', {
  quickstartId: text,
  fileName: text,
  fileSize: number,
  status: asIs<UploadWithReport['status']>(),
  materialType: asIs<UploadWithReport['materialType']>(),
  errorMessage: optional(text),
  report: json<UploadWithReport['report']>(),
});

/** Columns that lists show. */
export const listedUploads = uploads.omit('report');
