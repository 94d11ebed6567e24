/** Paths of all screens; `$` begins a parameter. */
export const PATHS = [
  '/',
  '/issues',
  '/issues/group',
  '/issues/$number',
  '/review',
  '/review/$queueId',
  '/traces',
  '/traces/$traceId',
  '/compare',
  '/conversations',
  '/conversations/$sessionId',
  '/tests',
  '/tests/$testId',
  '/runs',
  '/runs/$runId',
  '/run-sets',
  '/run-sets/$runSetId',
  '/experiments',
  '/experiments/$experimentId',
  '/tasks',
  '/tasks/$taskId',
  '/topics',
  '/topics/$topicId',
  '/tags',
  '/quickstarts',
  '/quickstarts/$quickstartId/$step',
  '/evaluators',
  '/evaluators/$definitionId',
  '/evals/$evalId',
  '/schedules',
  '/documents',
  '/documents/$documentId',
  '/webhook',
  '/health',
  '/settings',
] as const;
export type ScreenPath = (typeof PATHS)[number];

/** A path with values in place of its parameters. */
type Filled<Path extends string> = Path extends `${infer Before}/$${string}` ? `${Before}/${string}` : Path;

type ParamOf<Path extends string> = Path extends `${string}/$${infer Rest}`
  ? Rest extends `${infer Param}/${infer More}`
    ? Param | ParamOf<`/${More}`>
    : Rest
  : never;

/** Name of a parameter of a path. */
export type PathParam = ParamOf<ScreenPath>;

/** Query of a link: `?` and what follows, or nothing. */
export type QueryText = '' | `?${string}`;

/** Link to a screen: a link to a path without one does not compile. */
export type Href = `${Filled<ScreenPath>}${QueryText}`;
