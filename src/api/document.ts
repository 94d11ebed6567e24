import type { JsonSchema } from './json-schema.ts';

/** The parts of OpenAPI 3.1 that are used here. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: SecurityRequirement[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, unknown>;
  };
}

export type SecurityRequirement = Record<string, string[]>;

export interface Reference {
  $ref: string;
}

export interface ApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: SecurityRequirement[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: ContentByType };
  responses: Record<string, Response | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: ContentByType;
}

export interface Header {
  description: string;
  schema: JsonSchema;
}

export type ContentByType = Record<string, { schema: JsonSchema; example?: unknown }>;
