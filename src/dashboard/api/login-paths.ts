/** Calls of the sign-in, until the description of the API has them. */
type Answer<T> = { 200: { content: { 'application/json': T } } };
type NoParameters = { path?: never; query?: never; header?: never };
type With<B, T> = {
  parameters: NoParameters;
  requestBody: { content: { 'application/json': B } };
  responses: Answer<T>;
};

export interface Login {
  user: { id: string; name: string; email: string } | null;
  apiKey: { id: string; name: string } | null;
  csrf: string;
  expiresAt: string;
  applications: {
    id: string;
    name: string;
    role: 'viewer' | 'annotator' | 'editor' | 'admin' | null;
    scopes: ('ingest' | 'read' | 'annotate' | 'write' | 'admin')[];
  }[];
}

export interface LoginPaths {
  '/v0/login': {
    get: { parameters: NoParameters; requestBody?: never; responses: Answer<Login> };
    post: With<{ email: string; password: string } | { apiKey: string }, Login>;
    delete: { parameters: NoParameters; requestBody?: never; responses: { 204: { content?: never } } };
  };
  '/v0/login/setup': { post: With<{ token: string; name: string; email: string; password: string }, Login> };
  '/v0/login/invitation': { post: With<{ token: string; name: string; password: string }, Login> };
  '/v0/login/password': { put: With<{ currentPassword: string; newPassword: string }, Login> };
}
