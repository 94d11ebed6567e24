/** Actor in the audit log of what a command does beside the server. */
export const COMMAND_LINE = { type: 'key', id: 'command-line', name: 'Command line' } as const;
