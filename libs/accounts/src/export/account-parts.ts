import type { Outbox } from '@app/mail';
import { Exclude, Expose } from 'class-transformer';
import type { AuditEventRow } from '../audit/audit-event.table';
import { type ApiKeys, listedKey } from '../api-keys/api-keys';
import { ApiKey } from '../api-keys/api-keys.dto';
import { type AuditLog, readDetail } from '../audit/audit-log';
import type { EmailLinksStore } from '../account/email-links.store';
import type { TrustedIdentitiesStore } from '../identities/trusted-identities.store';
import type { Profiles } from '../profiles/profiles';
import { Session } from '../sessions/sessions.dto';
import type { SessionsStore } from '../sessions/sessions.store';
import type { AccountExport } from './account-export';
import { ExportedEmailLink, ExportedEvent, ExportedIdentity, ExportedMail } from './export.dto';

/** The sources of {@link addAccountParts}. */
export interface AccountPartSources {
  readonly sessions: SessionsStore;
  readonly keys: ApiKeys;
  readonly links: EmailLinksStore;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly profiles: Profiles;
  readonly identities: TrustedIdentitiesStore;
}

/** Adds the parts that this library stores for an account. */
export function addAccountParts(
  accountExport: AccountExport,
  { sessions, keys, links, outbox, audit, profiles, identities }: AccountPartSources,
): AccountExport {
  return addProfilePart(accountExport, profiles)
    .add({ name: 'sessions', as: Session, read: (id, slice) => sessions.list(id, slice) })
    .add({
      name: 'apiKeys',
      as: ApiKey,
      read: async (id, slice) => (await keys.list(id, slice)).map(listedKey),
    })
    .add({ name: 'emailLinks', as: ExportedEmailLink, read: (id, slice) => links.list(id, slice) })
    .add({ name: 'mails', as: ExportedMail, read: (id, slice) => outbox.listAbout(id, slice) })
    .add({
      name: 'auditEvents',
      as: ExportedEvent,
      read: async (id, slice) => (await audit.list(slice, { accountId: id })).map(exportedEvent),
    })
    .add({
      name: 'identities',
      as: ExportedIdentity,
      // An account has one of each issuer.
      read: async (accountId, { after }) =>
        after === undefined
          ? (await identities.list(accountId)).map(({ issuer, createdAt }, at) => ({
              id: at + 1,
              issuer,
              createdAt,
            }))
          : [],
    });
}

/** Adds the account's profile as a list, if the application has profiles. The list is empty for an account without a profile. */
function addProfilePart(accountExport: AccountExport, profiles: Profiles): AccountExport {
  const { exported } = profiles;
  if (exported === undefined) return accountExport;

  @Exclude()
  class ExportedProfile {}
  for (const column of exported) Expose()(ExportedProfile.prototype, column);

  return accountExport.add({
    name: 'profile',
    as: ExportedProfile,
    read: async (id) => {
      const row = (await profiles.read([id])).get(id);
      return row === undefined ? [] : [{ ...row, id }];
    },
  });
}

/** Returns an event as it is exported. It omits the addresses of operators. */
function exportedEvent({ actorId, ip, ...event }: AuditEventRow) {
  const isByAnother = actorId !== null && actorId !== event.accountId;
  return { ...event, isByAnother, ip: isByAnother ? null : ip, detail: readDetail(event) };
}
