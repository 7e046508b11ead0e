import type { Outbox } from '@app/mail';
import type { AuditEventRow } from '@app/persistence';
import type { AccountsStore } from '../accounts.store';
import { type ApiKeys, listedKey } from '../api-keys';
import { ApiKey } from '../api-keys.dto';
import type { AuditLog } from '../audit-log';
import type { EmailLinksStore } from '../email-verification/email-links.store';
import { Session } from '../sessions/sessions.dto';
import type { SessionsStore } from '../sessions/sessions.store';
import type { AccountExport } from './account-export';
import { ExportedEmailLink, ExportedEvent, ExportedMail } from './export.dto';

/** The sources of {@link addAccountParts}. */
export interface AccountPartSources {
  readonly accounts: AccountsStore;
  readonly sessions: SessionsStore;
  readonly keys: ApiKeys;
  readonly links: EmailLinksStore;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
}

/** Adds what accounts themselves consist of. */
export function addAccountParts(
  given: AccountExport,
  { accounts, sessions, keys, links, outbox, audit }: AccountPartSources,
): AccountExport {
  return given
    .add({ name: 'sessions', as: Session, read: (id, slice) => sessions.list(id, slice) })
    .add({
      name: 'apiKeys',
      as: ApiKey,
      read: async (id, slice) => (await keys.list(id, slice)).map(listedKey),
    })
    .add({ name: 'emailLinks', as: ExportedEmailLink, read: (id, slice) => links.list(id, slice) })
    .add({ name: 'mails', as: ExportedMail, read: (id, slice) => mailsOf(id, accounts, outbox, slice) })
    .add({
      name: 'auditEvents',
      as: ExportedEvent,
      read: async (id, slice) => (await audit.list(slice, { accountId: id })).map(exportedEvent),
    });
}

/** Since the account has the e-mail: earlier mails were to somebody else. */
async function mailsOf(id: number, accounts: AccountsStore, outbox: Outbox, slice: MailSlice) {
  const account = await accounts.findById(id);
  if (account === undefined) return [];
  const since = account.emailChangedAt ?? account.createdAt;
  return outbox.listTo(account.email, since, slice);
}

type MailSlice = Parameters<Outbox['listTo']>[2];

/** The address of an operator is not told. */
function exportedEvent({ actorId, ip, detail, ...event }: AuditEventRow) {
  const isByAnother = actorId !== null && actorId !== event.accountId;
  const facts: object = JSON.parse(detail);
  return { ...event, isByAnother, ip: isByAnother ? null : ip, detail: facts };
}
