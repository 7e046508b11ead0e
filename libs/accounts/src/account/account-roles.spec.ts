import { AccountRoles } from './account-roles';

describe('the roles of an application', () => {
  it('are user and admin by default', () => {
    expect(new AccountRoles().names).toEqual(['user', 'admin']);
  });

  it('give a stored role that is not declared no more than a new account has', () => {
    const roles = new AccountRoles(['user', 'editor', 'admin']);
    expect(['user', 'editor', 'admin', 'owner', 'Admin', ''].map((role) => roles.effective(role))).toEqual([
      'user',
      'editor',
      'admin',
      'user',
      'user',
      'user',
    ]);
  });

  it.each([
    [['user'], "include 'admin'"],
    [['admin'], "include 'user'"],
    [['user', 'admin', 'Editor'], "'Editor' is not"],
    [['user', 'admin', ''], "'' is not"],
    [['user', 'admin', 'user'], "'user' is declared twice"],
  ])('end the start if they are %j', (names, problem) => {
    expect(() => new AccountRoles(names)).toThrow(problem);
  });
});
