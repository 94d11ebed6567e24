export const definitionCommands = {};
export const definitionQueries = {};
