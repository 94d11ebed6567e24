/** Screens of a filled application: name, address, and a text that shows that the data has arrived. */
export const SCREENS_TO_LOOK_AT: readonly (readonly [name: string, path: string, shows: string])[] = [
  ['Home', '/', 'Nothing was lost'],
  ['Traces', '/traces', 'answer a customer'],
  ['Traces, filtered', '/traces?q=errors:yes+kind:cat', 'must be one of'],
  ['Settings, application', '/settings', 'Judges read it'],
  ['Settings, keys', '/settings?tab=keys', 'Begins with'],
  ['Settings, members', '/settings?tab=members', 'Ada Lovelace'],
  ['Settings, audit', '/settings?tab=audit', 'createTask'],
  ['Tests', '/tests', 'trace_missing'],
  ['Tests, failed', '/tests?status=FAILED&last=30d', 'Clear'],
  ['Runs', '/runs', 'Evals passed'],
  ['Webhook, none', '/webhook', 'touchstone listen'],
  ['Webhook, deliveries', '/webhook?tab=deliveries', 'Nothing was sent yet'],
  ['Webhook, check', '/webhook?tab=check', 'Complete request'],
  ['Webhook, code', '/webhook?tab=code&language=go', 'hmac.Equal'],
  ['Health', '/health', 'Nothing was lost'],
  ['Health, lookup', '/health?find=4bf92f3577b34da6a3ce929d0e0e4736', 'it never reached this application'],
];
