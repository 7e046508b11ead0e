import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** An authorization that an identity provider was asked for; deleted with the account. */
export interface OidcAuthorizationTable {
  /** SHA-256 of the token that the client holds, in base64url; primary key. */
  requestHash: string;
  provider: string;
  /** To which the identity is to be linked; `null` for a sign-in. */
  accountId: number | null;
  /** The application that began it, which alone completes it. */
  audience: string;
  expiresAt: Date;
}

/** A selected authorization. */
export type OidcAuthorizationRow = Selectable<OidcAuthorizationTable>;

declare module '@app/persistence' {
  interface Tables {
    oidcAuthorization: OidcAuthorizationTable;
  }
}

export const oidcAuthorizationTable = defineTable('oidcAuthorization', {
  secrecy: {
    requestHash: 'secret',
    provider: 'open',
    accountId: 'internal',
    audience: 'internal',
    expiresAt: 'internal',
  },
  exported: { not: 'hashes of tokens that expire within ten minutes' },
  migrations: { '0021-oidc-authorization': { apply: createOidcAuthorization } },
});

async function createOidcAuthorization(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('oidc_authorization')
    .$call(strictTypes)
    .addColumn('request_hash', text, (column) => column.primaryKey())
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('audience', text, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('oidc_authorization');
  await index('oidc_authorization_account_id').column('account_id').execute();
  await index('oidc_authorization_expires_at').column('expires_at').execute();
}
