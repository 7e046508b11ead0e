import { z } from 'zod';
import { family, findSets, withMembers } from './family';

const members = { ISSUER: z.string(), CLIENT_ID: z.string(), CLIENT_SECRET: z.string() };

describe('a family of settings', () => {
  const find = (...variables: string[]) => findSets('OIDC_<NAME>', members, variables);

  it('has as many sets as there are names, which may have several words', () => {
    expect(find('OIDC_GOOGLE_ISSUER', 'OIDC_MY_ID_CLIENT_ID', 'OIDC_GOOGLE_CLIENT_ID', 'PORT')).toEqual({
      names: ['GOOGLE', 'MY_ID'],
      unknown: [],
    });
  });

  it.each(['OIDC_GOOGLE_ISSUR', 'OIDC_ISSUER', 'OIDC_google_ISSUER', 'OIDC__ISSUER', 'OIDC_GOOGLE'])(
    'has no member %s, which begins like one',
    (variable) => {
      expect(find(variable)).toEqual({ names: [], unknown: [variable] });
    },
  );

  it('is listed by its members, among single settings', () => {
    const listed = withMembers({ PORT: z.string(), 'OIDC_<NAME>': family(members) });
    expect(listed.map(([name]) => name)).toEqual([
      'PORT',
      'OIDC_<NAME>_ISSUER',
      'OIDC_<NAME>_CLIENT_ID',
      'OIDC_<NAME>_CLIENT_SECRET',
    ]);
  });
});
