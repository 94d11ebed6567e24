import { z } from 'zod';

/** Largest file; the fields of a form are small beside it. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** The file of a form, which is there for as long as the handler of its route runs. */
export interface UploadedFile {
  /** File name as sent, without folders and control characters, at most 255 characters. */
  name: string;
  /** MIME type as sent; nothing has checked it. */
  mimeType: string;
  /** Bytes. */
  size: number;
  /** The content, in pieces. Each loop over it begins at the start. */
  stream: AsyncIterable<Uint8Array>;
}

/** A form as it came: the value of each field, and `file` when there was one. */
export interface RawUpload {
  [field: string]: string | string[] | UploadedFile;
}

/** The body of a route that takes `multipart/form-data`: fields, and one file in the field `file`. */
export interface Upload<F extends z.ZodObject = z.ZodObject> {
  kind: 'upload';
  fields: F;
  extensions: readonly string[];
  /** Schema that turns a RawUpload into the body the handler receives. */
  schema: z.ZodType<UploadBody<F>>;
}

export interface UploadBody<F extends z.ZodObject> {
  fields: z.output<F>;
  file: UploadedFile;
}

/** `extensions` are those the name of the file may end in, in lower case: `.csv`. */
export function upload<F extends z.ZodObject>({
  fields,
  extensions,
}: Pick<Upload<F>, 'fields' | 'extensions'>): Upload<F> {
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
  return { kind: 'upload', fields, extensions, schema };
}

export const isUpload = (body: unknown): body is Upload =>
  typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'upload';
