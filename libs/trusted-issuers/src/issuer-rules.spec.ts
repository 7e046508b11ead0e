import { readTrustedIssuers, trustedIssuers } from './issuer-rules';

const url = 'https://id.example.com/realms/shop';

describe('the setting of trusted issuers', () => {
  it('has an issuer with its audience, and defaults', () => {
    expect(readTrustedIssuers(`${url} audience=shop-api`)).toMatchObject([
      {
        issuer: url,
        audience: 'shop-api',
        type: 'at+jwt',
        lifetimeSeconds: 3600,
        leewaySeconds: 10,
        hasAccounts: true,
        twoFactors: [],
      },
    ]);
  });

  it('has the values of acr and amr for a sign-in by two factors', () => {
    const text = `${url} audience=a two-factors=amr:mfa,acr:https://refeds.org/profile/mfa`;
    expect(readTrustedIssuers(text)).toMatchObject([
      {
        twoFactors: [
          ['amr', 'mfa'],
          ['acr', 'https://refeds.org/profile/mfa'],
        ],
      },
    ]);
  });

  it('has several, each with its options', () => {
    const text = `${url} audience=a type=any algorithms=RS256,ES256 lifetime=2h leeway=30s
      roles=realm_access.roles role-map=ops:admin,clerk:user https://other.example.com/
      audience=b accounts=off scopes=scope scope-map=orders.read:read`;
    expect(readTrustedIssuers(text)).toMatchObject([
      {
        type: 'any',
        algorithms: ['RS256', 'ES256'],
        lifetimeSeconds: 7200,
        leewaySeconds: 30,
        roles: {
          claim: 'realm_access.roles',
          names: [
            ['ops', 'admin'],
            ['clerk', 'user'],
          ],
        },
      },
      {
        issuer: 'https://other.example.com/',
        hasAccounts: false,
        scopes: { names: [['orders.read', 'read']] },
      },
    ]);
  });

  it.each([
    ['id.example.com audience=a', 'must begin with the URL of an issuer'],
    ['http://id.example.com audience=a', 'must begin with the URL of an issuer'],
    ['https://me:secret@id.example.com audience=a', 'must begin with the URL of an issuer'],
    [url, 'has no audience'],
    [`${url} audience=a ${url} audience=b`, 'twice'],
    [`${url} audience=a audience=b`, 'has audience twice'],
    [`${url} audience=a colour=red`, 'options are audience, type'],
    [`${url} audience=a algorithms=HS256`, 'has the algorithm HS256'],
    [`${url} audience=a algorithms=none`, 'has the algorithm none'],
    [`${url} audience=a lifetime=2d`, 'from 1s to 1d'],
    [`${url} audience=a leeway=5m`, 'from 1s to 1m'],
    [`${url} audience=a type=jwt`, 'not at+jwt or any'],
    [`${url} audience=a accounts=no`, 'it is on or off'],
    [`${url} audience=a two-factors=mfa`, 'not values of acr or amr'],
    [`${url} audience=a two-factors=groups:mfa`, 'not values of acr or amr'],
    [`${url} audience=a roles=groups`, 'a claim or a map alone'],
    [`${url} audience=a roles=groups role-map=admin`, 'a claim or a map alone'],
  ])('rejects %j', (text, problem) => {
    expect(trustedIssuers().safeParse(text).error?.issues[0]?.message).toContain(problem);
  });
});
