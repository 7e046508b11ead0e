import type { TableDefinition } from '@app/persistence';
import { schemaOf } from '@app/contract';
import { type InputClass, prepareInheritedMembers, readRules, readTransforms } from '@app/engine';

/** The profile table, which the application declares. */
export const profileTable = 'profile';

/** The reserved names: members in user bodies and views, and names by which programs decide permissions. */
const otherNames = [
  'accountId',
  'currentPassword',
  'disabled',
  'isActive',
  'isAdmin',
  'ok',
  'password',
  'permissions',
  'roles',
  'scopes',
];

/** The compiler types that a column can have. `Object` stands for `string | null`. */
const columnTypes = new Set<unknown>([String, Number, Boolean, Date, Object, undefined]);

/** An application class that adds fields to users. Each field is a column in its table {@link profileTable}. */
export class ProfileShape {
  /** The fields with rules, which a body may have. */
  readonly accepted: readonly string[];
  /** The exposed fields, which views may have. */
  readonly sent: readonly string[];

  /**
   * @param accounts the account table; its column names are reserved
   * @throws TypeError for a class that lacks fields, a field with a reserved name, a field that holds several values, or an
   *   initial value, which every change would set again
   */
  constructor(
    readonly type: InputClass,
    accounts: TableDefinition,
  ) {
    prepareInheritedMembers(type);
    const reserved = new Set([...Object.keys(accounts.secrecy), ...otherNames].map(comparable));
    const { exposed } = readTransforms(type);
    this.accepted = readRules(type, {}).properties.map(({ name }) => name);
    this.sent = [
      ...new Set(exposed.filter(({ toClassOnly }) => !toClassOnly).map(({ property }) => property)),
    ];
    if (this.fields.length === 0)
      throw new TypeError(`the profile ${type.name} has no field with a rule or @Expose()`);
    const renamed = exposed.find(({ name }) => name !== undefined);
    if (renamed)
      throw new TypeError(
        `the profile ${type.name} exposes ${renamed.property} by another name: name the field so`,
      );
    for (const field of this.fields) {
      this.checkName(field, reserved);
      this.checkType(field);
    }
    const [initial] = Object.entries(new type()).find(([, value]) => value !== undefined) ?? [];
    if (initial !== undefined)
      throw new TypeError(
        `the profile ${type.name} has a value for ${initial}: make it the default of the column`,
      );
  }

  /** The fields, each of which is a column. */
  get fields(): readonly string[] {
    return [...new Set([...this.accepted, ...this.sent])];
  }

  /** Returns whether views show null for a field without a value. Otherwise they omit it. */
  isNullable(field: string): boolean {
    return schemaOf(this.type, field)?.keywords.type?.includes('null') ?? false;
  }

  /**
   * Finds the profile table, and checks the class against it.
   *
   * @throws TypeError if the table or a column is missing, or if a field is sent more widely than its column permits
   */
  tableAmong(tables: readonly TableDefinition[]): TableDefinition {
    const { name } = this.type;
    const table = tables.find((candidate) => candidate.name === profileTable);
    if (table === undefined)
      throw new TypeError(`the profile ${name} needs a table '${profileTable}' in the tables of the program`);
    for (const column of ['accountId', ...this.fields]) {
      if (!(column in table.secrecy))
        throw new TypeError(`the table '${profileTable}' has no column ${column}, which ${name} needs`);
    }
    const { exposed } = readTransforms(this.type);
    for (const { property, groups = [] } of exposed) {
      const secrecy = table.secrecy[property];
      const isOperators = secrecy === 'operators' && groups.length === 1 && groups[0] === 'admin';
      if (secrecy !== 'open' && !isOperators)
        throw new TypeError(`${name} exposes ${property}, which its column (${secrecy}) does not permit`);
    }
    return table;
  }

  private checkName(field: string, reserved: ReadonlySet<string>): void {
    const { name } = this.type;
    if (reserved.has(comparable(field)))
      throw new TypeError(
        `the profile ${name} has a field ${field}, a name that the framework uses: rename it`,
      );
    if (!/^[a-z][A-Za-z0-9]*$/.test(field))
      throw new TypeError(
        `the profile ${name} has a field ${field}, which is no name of a column, such as displayName`,
      );
  }

  private checkType(field: string): void {
    const { name, prototype } = this.type;
    const { typeFunction } = readTransforms(this.type).typeOf.get(field) ?? {};
    if (
      (typeFunction && typeFunction() !== Date) ||
      !columnTypes.has(Reflect.getMetadata('design:type', prototype, field))
    )
      throw new TypeError(`the field ${field} of the profile ${name} is no text, number, boolean or time`);
  }
}

/** Returns a name for comparison, because readers take `is_active` for `isActive`. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
