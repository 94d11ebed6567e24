export const evalCommands = {};
export const evalQueries = {};
