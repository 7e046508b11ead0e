import type { Profiles } from '../profiles/profiles';
import type { AccountRoles } from './account-roles';

/** The rows of accounts as views of users send them. */
export class UserViews {
  constructor(
    private readonly roles: AccountRoles,
    private readonly profiles: Profiles,
  ) {}

  /** Like {@link all}. */
  async one<Row extends Shown>(row: Row): Promise<Row>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined> {
    return row && (await this.all([row]))[0];
  }

  /** With the role that each account has in this program, and its profile. */
  async all<Row extends Shown>(rows: readonly Row[]): Promise<Row[]> {
    const stored = await this.profiles.read(rows.map(({ id }) => id));
    return rows.map((row) =>
      this.profiles.shown({ ...row, role: this.roles.effective(row.role) }, stored.get(row.id)),
    );
  }
}

/** What a view needs of an account. */
interface Shown {
  readonly id: number;
  readonly role: string;
}
