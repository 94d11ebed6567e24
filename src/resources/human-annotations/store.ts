export const humanAnnotationCommands = {};
export const humanAnnotationQueries = {};
