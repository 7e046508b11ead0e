import { exportPart } from '@app/accounts';
import { inSection } from '@app/contract';
import { deletesOld, jobOf } from '@app/persistence';
import { type Plugin } from '@app/service';
import { members } from './access/members.facet';
import { MembershipCache } from './access/membership-cache';
import { MembershipGate } from './access/membership.guard';
import { organizationEventTable, organizationKinds } from './events/organization-event.table';
import { OrganizationEvents } from './events/organization-events';
import { InvitationsStore } from './invitations/invitations.store';
import { organizationInvitationTable } from './invitations/organization-invitation.table';
import { InvitationChanges } from './routes/invitation-changes.service';
import { invitationControllers } from './routes/invitations.controller';
import { auditController } from './routes/audit.controller';
import { membersController } from './routes/members.controller';
import { MembersStore } from './members/members.store';
import { OrganizationChanges } from './routes/organization-changes.service';
import { organizationMemberTable } from './members/organization-member.table';
import { OperatorOrganizationsController } from './routes/operator-organizations.controller';
import { organizationTable } from './organization/organization.table';
import { organizationsController } from './routes/organizations.controller';
import { ExportedOrganization } from './organization/organizations.dto';
import { deleteMemberless, purgeDeleted } from './organization/purge';
import { OrganizationsStore } from './organization/organizations.store';
import { type DeclaredRoles, defaultRoles, OrganizationRoles, type OwnPermission } from './roles';

/** The permissions that roles declare, and the permissions for the plugin's routes. */
type PermissionIn<Roles extends DeclaredRoles> =
  | {
      [Name in keyof Roles]: Roles[Name] extends readonly string[] ? Roles[Name][number] : never;
    }[keyof Roles]
  | OwnPermission;

const DAY = 24 * 60 * 60 * 1000;

type RouteDecorator = ClassDecorator & MethodDecorator;

/** The organizations plugin, with its role decorators. */
export interface OrganizationsPlugin<Roles extends DeclaredRoles> extends Plugin<{}> {
  /**
   * Requires a member in the organization that the path names as `:organizationId`. Other callers get 404, and members with a
   * different role 403. The owner always passes.
   *
   * @param roles the roles that may call the route; default every role
   */
  readonly Member: (...roles: Extract<keyof Roles, string>[]) => RouteDecorator;
  /** Requires a member, as `@Member()` does, with a role that has a permission. */
  readonly May: (permission: PermissionIn<Roles>) => RouteDecorator;
}

/**
 * Makes the organizations plugin, with members, roles and permissions.
 *
 * @param roles the permissions by role; a single role has every permission: `owner: '*'`
 * @param routes the routes for members, or the operator routes in a program for administrators; default `members`
 * @throws TypeError unless exactly one role has every permission
 */
export function organizations<const Roles extends DeclaredRoles = typeof defaultRoles>({
  roles: declared,
  routes = 'members',
}: { readonly roles?: Roles; readonly routes?: 'members' | 'operators' } = {}): OrganizationsPlugin<Roles> {
  const roles = new OrganizationRoles(declared ?? defaultRoles);
  return {
    name: 'organizations',
    tables: [organizationTable, organizationMemberTable, organizationEventTable, organizationInvitationTable],
    controllers: inSection(
      'accounts',
      routes === 'operators'
        ? [OperatorOrganizationsController]
        : [
            organizationsController(roles),
            membersController(roles),
            auditController(roles),
            ...invitationControllers(roles),
          ],
    ),
    providers: () => [
      { provide: OrganizationRoles, useValue: roles },
      MembershipCache,
      MembershipGate,
      MembersStore,
      InvitationChanges,
      InvitationsStore,
      OrganizationChanges,
      OrganizationEvents,
      OrganizationsStore,
    ],
    facets: [members],
    audiences: roles.names.map((role) => ({
      name: `member:${role}`,
      description: `members of the organization with the role \`${role}\``,
      includes: ({ membership }) => Reflect.get(Object(membership), 'role') === role,
    })),
    gates: [{ facet: 'members', provide: MembershipGate }],
    invitations: InvitationChanges,
    exports: [
      exportPart(OrganizationsStore, {
        name: 'organizations',
        as: ExportedOrganization,
        read: (store, id, slice) => store.list(id, slice),
      }),
    ],
    jobs: [
      jobOf('organizations', InvitationsStore, (invitations, db) => {
        const expired = deletesOld(db, [
          {
            name: 'organization-invitations',
            keepMs: 0,
            deleteOlder: (...due) => invitations.deleteExpired(...due),
          },
        ]);
        return {
          announce: expired.announce,
          run: async (run) => {
            await purgeDeleted(db, run);
            await expired.run(run);
          },
        };
      }),
      jobOf('organization-events', OrganizationEvents, (events, db) =>
        deletesOld(db, [
          {
            name: 'organization-events',
            keepMs: 365 * DAY,
            deleteOlder: (...due) => events.deleteOlder(...due),
          },
        ]),
      ),
      jobOf('memberless-organizations', OrganizationsStore, (_store, db) => ({
        every: DAY,
        run: (run) => deleteMemberless(db, run),
      })),
    ],
    auditKinds: organizationKinds,
    Member: (...names) => members.set(roles.including(names)),
    May: (permission) => members.set(roles.permitting(permission)),
  };
}
