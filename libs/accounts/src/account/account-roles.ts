/** The role of a new account. */
const newcomer = 'user';
const administrator = 'admin';

/** The roles that an application declares, by name. */
export class AccountRoles {
  readonly names: readonly string[];

  /**
   * @param names of all roles; default those of the specification
   * @throws TypeError without `user` or `admin`, for a name twice, and for one that is not of lowercase letters, digits and dashes
   */
  constructor(names: readonly string[] = [newcomer, administrator]) {
    for (const needed of [newcomer, administrator]) {
      if (!names.includes(needed))
        throw new TypeError(`the roles of an application include '${needed}': ${names.join(', ')} do not`);
    }
    for (const [at, name] of names.entries()) {
      if (!/^[a-z][a-z0-9-]*$/.test(name))
        throw new TypeError(`the role '${name}' is not of lowercase letters, digits and dashes`);
      if (names.indexOf(name) !== at) throw new TypeError(`the role '${name}' is declared twice`);
    }
    this.names = Object.freeze([...names]);
  }

  /**
   * The role that an account has in this program. A stored one that is not declared is of another release or another application: here
   * it permits no more than a new account is permitted. It stays stored.
   */
  effective(stored: string): string {
    return this.names.includes(stored) ? stored : newcomer;
  }
}
