import { prefersRepresentation } from './users.controller';

describe('prefersRepresentation', () => {
  it('parses Prefer by RFC 7240', () => {
    for (const header of [
      'return=representation',
      'Return = "representation"',
      'wait=5, return=representation; a=b',
    ]) {
      expect([header, prefersRepresentation(header)]).toEqual([header, true]);
    }
    for (const header of [
      undefined,
      '',
      'return=minimal',
      'return=minimal, return=representation',
      'representation',
    ]) {
      expect([header, prefersRepresentation(header)]).toEqual([header, false]);
    }
  });
});
