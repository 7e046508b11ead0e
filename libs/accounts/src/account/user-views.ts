import { Injectable } from '@nestjs/common';
import { Profiles } from '../profiles/profiles';
import { AccountRoles } from './account-roles';

/** The rows of accounts as views of users send them. */
@Injectable()
export class UserViews {
  constructor(
    private readonly roles: AccountRoles,
    private readonly profiles: Profiles,
  ) {}

  /** Like {@link all}. */
  async one<Row extends Shown>(row: Row): Promise<Row>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined> {
    if (row === undefined || this.profiles.areDeclared) return row && (await this.all([row]))[0];
    return this.withRole(row);
  }

  /** With the role that each account has in this program, and its profile. */
  async all<Row extends Shown>(rows: readonly Row[]): Promise<Row[]> {
    const stored = await this.profiles.read(rows.map(({ id }) => id));
    return rows.map((row) => this.profiles.shown(this.withRole(row), stored.get(row.id)));
  }

  private withRole<Row extends Shown>(row: Row): Row {
    return { ...row, role: this.roles.effective(row.role) };
  }
}

/** What a view needs of an account. */
interface Shown {
  readonly id: number;
  readonly role: string;
}
