/** Owner of queued work: an application, or the name of work that belongs to none. */
export type Party = number | string;

/** Returns the group that a party shares with others; a party alone is a group of its own. */
export type GroupOf = (party: Party) => Party;

/** Makes each party a group of its own. */
export const alone: GroupOf = (party) => party;
