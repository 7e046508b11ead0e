/** The permissions by role; `*` has every permission. */
export type DeclaredRoles = Readonly<Record<string, '*' | readonly string[]>>;

/** The permissions for the plugin's routes. */
export const ownPermissions = [
  'organization:write',
  'organization:delete',
  'member:write',
  'member:invite',
  'audit:read',
] as const;

/** A permission for the plugin's routes. */
export type OwnPermission = (typeof ownPermissions)[number];

/** The roles without a declaration. */
export const defaultRoles = {
  owner: '*',
  admin: ['organization:write', 'member:write', 'member:invite', 'audit:read'],
  member: [],
} as const satisfies DeclaredRoles;

/** A program's organization roles. */
export class OrganizationRoles {
  readonly names: readonly string[];
  /** The role with every permission, which an organization's creator gets. */
  readonly owner: string;

  /** @throws TypeError unless exactly one role has every permission */
  constructor(private readonly declared: DeclaredRoles) {
    this.names = Object.keys(declared);
    const [owner, second] = this.names.filter((name) => declared[name] === '*');
    if (owner === undefined || second !== undefined)
      throw new TypeError("organizations() needs exactly one role with '*', such as owner: '*'");
    this.owner = owner;
  }

  /** Returns the listed roles with the owner, who may do everything; all roles for an empty list. */
  including(names: readonly string[]): readonly string[] {
    return this.names.filter((name) => names.length === 0 || name === this.owner || names.includes(name));
  }

  /** Returns the roles with a permission. */
  permitting(permission: string): readonly string[] {
    return this.names.filter((name) => this.permits(name, permission));
  }

  permits(role: string, permission: string): boolean {
    const permissions = this.declared[role] ?? [];
    return permissions === '*' || permissions.includes(permission);
  }

  /** Returns whether a role has every permission that a second role has, so that its members may give and take the second role. */
  covers(role: string, second: string): boolean {
    const permissions = this.declared[second] ?? [];
    if (permissions === '*') return role === this.owner;
    return permissions.every((permission) => this.permits(role, permission));
  }
}
