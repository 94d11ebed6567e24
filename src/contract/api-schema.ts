import { z } from 'zod';

interface ApiSchema {
  /** Name of the schema in the API document. */
  id: string;
  /** True if no field will be added to the schema. */
  isClosed?: boolean;
}

/** Schemas that the API document defines once and refers to by name. */
export const apiSchemas = z.registry<ApiSchema>();

/** Declares an object that the API document defines once, as `id`. */
export const namedObject = <S extends z.ZodRawShape>(
  id: string,
  shape: S,
  options: Omit<ApiSchema, 'id'> = {},
) => z.object(shape).register(apiSchemas, { ...options, id });
