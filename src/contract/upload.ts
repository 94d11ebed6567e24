import { z } from 'zod';

/** Largest file; the fields of a form are small in comparison. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** File of a form, available while the handler of its route runs. */
export interface UploadedFile {
  /** File name as sent, without folders and control characters, at most 255 characters. */
  name: string;
  /** MIME type as sent, unchecked. */
  mimeType: string;
  /** Size in bytes. */
  size: number;
  /** Content of the file, in pieces. Each iteration begins at the start. */
  stream: AsyncIterable<Uint8Array>;
}

/** A form as received: the value of each field, and `file` if there was one. */
export interface RawUpload {
  [field: string]: string | string[] | UploadedFile;
}

/**
 * Body of a route that accepts `multipart/form-data`: fields, and one file in the field `file`. The body may also be
 * the file itself; the fields are query parameters then.
 */
export interface Upload<F extends z.ZodObject = z.ZodObject> {
  kind: 'upload';
  fields: F;
  extensions: readonly string[];
  /** Media types of a body that is the file itself, with the ending of its name; none by default. */
  fileTypes: Readonly<Record<string, string>>;
  /** Schema that turns a RawUpload into the body that the handler receives. */
  schema: z.ZodType<UploadBody<F>>;
}

export interface UploadBody<F extends z.ZodObject> {
  fields: z.output<F>;
  file: UploadedFile;
}

/** Declares a form. `extensions` lists the allowed endings of the file name, in lower case: `.csv`. */
export function upload<F extends z.ZodObject>({
  fields,
  extensions,
  fileTypes = {},
}: Pick<Upload<F>, 'fields' | 'extensions'> & Partial<Pick<Upload<F>, 'fileTypes'>>): Upload<F> {
  const file = z
    .custom<UploadedFile>((value) => typeof value === 'object' && value !== null && 'stream' in value, {
      error: 'must be a file',
      params: { code: 'invalid_type' },
      abort: true,
    })
    .refine(({ name }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)), {
      error: `must be a file whose name ends in ${extensions.join(', ')}`,
    });
  const schema = fields
    .extend({ file })
    .transform(({ file: given, ...rest }) => ({ fields: rest, file: given }) as UploadBody<F>);
  return { kind: 'upload', fields, extensions, fileTypes, schema };
}

export const isUpload = (body: unknown): body is Upload =>
  typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'upload';
