import type { AccountRoles } from './account-roles';

/** The rows of accounts as views of users send them. */
export class UserViews {
  constructor(private readonly roles: AccountRoles) {}

  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined> {
    return row && (await this.all([row]))[0];
  }

  /** With the role that each account has in this program. */
  async all<Row extends Shown>(rows: readonly Row[]): Promise<Row[]> {
    return rows.map((row) => ({ ...row, role: this.roles.effective(row.role) }));
  }
}

/** What a view needs of an account. */
interface Shown {
  readonly role: string;
}
