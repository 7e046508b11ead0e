import { isMembership, issueMembership } from './membership';

describe('a membership', () => {
  it('has the facts of its issuer, and cannot change', () => {
    const membership = issueMembership({ tenantId: 7, role: 'admin' });

    expect(membership).toEqual({ tenantId: 7, role: 'admin' });
    expect(() => Object.assign(membership, { tenantId: 8 })).toThrow(TypeError);
  });

  it('is recognized by its issue, whatever members an object has', () => {
    const membership = issueMembership({ tenantId: 7 });

    expect(isMembership(membership)).toBe(true);
    for (const forged of [{ ...membership }, Object.create(membership), { tenantId: 7 }, null, 7])
      expect(isMembership(forged)).toBe(false);
  });
});
