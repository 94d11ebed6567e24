export const scrapeJobCommands = {};
export const scrapeJobQueries = {};
