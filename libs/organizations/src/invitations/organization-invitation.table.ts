import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import type { Generated, Selectable } from 'kysely';

/** An invitation to an organization, which a mail carries. It is used once. Primary key: the organization and the id. */
export interface OrganizationInvitationTable {
  id: Generated<number>;
  organizationId: number;
  /** The invited e-mail as entered. */
  email: string;
  /** The invited e-mail, normalized for comparison; unique in the organization. */
  emailKey: string;
  /** The future member's role. */
  role: string;
  /** The mailed token's SHA-256, in base64url. */
  tokenHash: string;
  /** The account that invites. There is no foreign key: the invitation ends when the inviter loses the membership. */
  invitedBy: number;
  createdAt: Date;
  expiresAt: Date;
}

/** A selected invitation. */
export type OrganizationInvitationRow = Selectable<OrganizationInvitationTable>;

declare module '@app/persistence' {
  interface Tables {
    organizationInvitation: OrganizationInvitationTable;
  }
}

export const organizationInvitationTable = defineTable('organizationInvitation', {
  secrecy: {
    id: 'open',
    organizationId: 'internal',
    email: 'open',
    emailKey: 'internal',
    role: 'open',
    tokenHash: 'secret',
    invitedBy: 'open',
    createdAt: 'open',
    expiresAt: 'open',
  },
  exported: { not: 'belongs to the organization, until it expires' },
  migrations: { '0004-organization-invitation': { apply: createInvitation } },
});

async function createInvitation(
  db: MigrationContext,
  { integer, timestamp, text, ownedBy, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('organization_invitation')
    .$call(strictTypes)
    .$call(ownedBy('organization_invitation', 'organization'))
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('invited_by', integer, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('organization_invitation_organization_id_email_key_unique', [
      'organization_id',
      'email_key',
    ]);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('organization_invitation');
  await index('organization_invitation_token_hash').column('token_hash').execute();
  await index('organization_invitation_email_key').column('email_key').execute();
  await index('organization_invitation_expires_at').column('expires_at').execute();
}
