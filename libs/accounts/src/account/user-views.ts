import { Injectable } from '@nestjs/common';
import { Profiles } from '../profiles/profiles';
import { AccountRoles } from './account-roles';

/** Turns account rows into the rows that user views send. */
@Injectable()
export class UserViews {
  constructor(
    private readonly roles: AccountRoles,
    private readonly profiles: Profiles,
  ) {}

  /** Adds the role and the profile to a single row, as {@link all} does. */
  async one<Row extends Shown>(row: Row): Promise<Row>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined>;
  async one<Row extends Shown>(row: Row | undefined): Promise<Row | undefined> {
    if (row === undefined || this.profiles.areDeclared) return row && (await this.all([row]))[0];
    return this.withRole(row);
  }

  /** Adds the role that each account has in this program, and its profile. */
  async all<Row extends Shown>(rows: readonly Row[]): Promise<Row[]> {
    const stored = await this.profiles.read(rows.map(({ id }) => id));
    return rows.map((row) => this.profiles.shown(this.withRole(row), stored.get(row.id)));
  }

  private withRole<Row extends Shown>(row: Row): Row {
    return { ...row, role: this.roles.effective(row.role) };
  }
}

/** The account fields that a view needs. */
interface Shown {
  readonly id: number;
  readonly role: string;
}
