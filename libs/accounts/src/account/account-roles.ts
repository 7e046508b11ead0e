/** A new account's role. */
const newcomer = 'user';
const administrator = 'admin';

/** The roles of an application that declares none. */
export const defaultRoles: readonly string[] = [newcomer, administrator];

/** The roles that an application declares, by name. */
export class AccountRoles {
  readonly names: readonly string[];

  /**
   * @param names the role names; default `user` and `admin`
   * @throws TypeError if `user` or `admin` is missing, a name appears twice, or a name has characters besides lowercase letters,
   *   digits and dashes
   */
  constructor(names: readonly string[] = defaultRoles) {
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
   * Returns the role that an account has in this program. A stored role that this program does not declare belongs to a
   * different release or application. Here the account then has the role `user`, and the stored role is kept.
   */
  effective(stored: string): string {
    return this.names.includes(stored) ? stored : newcomer;
  }
}
