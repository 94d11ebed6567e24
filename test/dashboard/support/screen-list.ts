/** Screens of a filled application: name, address, and a text that shows that the data has arrived. */
export const SCREENS_TO_LOOK_AT: readonly (readonly [name: string, path: string, shows: string])[] = [
  ['Home', '/', 'Nothing was lost'],
  ['Traces', '/traces', 'answer a customer'],
  ['Traces, filtered', '/traces?q=errors:yes+kind:cat', 'must be one of'],
  ['Settings, application', '/settings', 'Judges read it'],
  ['Settings, keys', '/settings?tab=keys', 'Begins with'],
  ['Settings, members', '/settings?tab=members', 'Ada Lovelace'],
  ['Settings, audit', '/settings?tab=audit', 'createTask'],
];
