export const KIND = 'work';
