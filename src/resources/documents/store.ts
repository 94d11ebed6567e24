export const documentCommands = {};
export const documentQueries = {};
