import type { Masking } from './contract.ts';

export const exampleMasking: Masking = {
  detectors: ['email', 'phone', 'card', 'iban', 'secret'],
  patterns: [{ name: 'employee', pattern: 'EMP-\\d{6}' }],
  removeAttributes: ['http.request.header.cookie'],
  keepAttributes: null,
  exemptAttributes: ['url.full'],
  suspended: [],
};
