import { closedWriter, type WireClass } from '@app/engine';
import type { AccountRow } from '../account/account.table';
import type { AccountsStore } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import { ExportedAccount } from './export.dto';
import { type ExportPart, type WritePart, writePart } from './export-part';

const writeAccount = closedWriter(ExportedAccount);

/** The document members that are not parts. */
const reserved = new Set(['exportedAt', 'account']);

/** The account's stored data as a single JSON document. */
export class AccountExport {
  private readonly parts = new Map<string, WritePart>();
  private readonly kinds = new Map<string, WireClass>([['account', ExportedAccount]]);

  constructor(
    private readonly store: AccountsStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Adds a part. The document has the parts in the order in which they were added.
   *
   * @throws TypeError if a part already has the name
   * @throws OpenWireClassError for a class that would send more than it exposes
   */
  add<Sent extends object>(part: ExportPart<Sent>): this {
    const { name } = part;
    if (this.parts.has(name) || reserved.has(name))
      throw new TypeError(`an export has one member ${name}: give the part another name`);
    this.parts.set(name, writePart(part));
    this.kinds.set(name, part.as);
    return this;
  }

  /** The wire classes by document member: the account, and the row class of each part. */
  get classes(): ReadonlyMap<string, WireClass> {
    return this.kinds;
  }

  /**
   * Begins an export and records it. Rows that are added or removed meanwhile may or may not be in the document.
   *
   * @param ip remote address
   * @returns the document in pieces, read as fast as they are taken; `undefined` if the account is missing
   */
  async begin(accountId: number, ip: string): Promise<AsyncGenerator<string> | undefined> {
    const account = await this.store.findById(accountId);
    if (account === undefined) return undefined;
    await this.audit.record({ kind: 'account-exported', accountId, ip });
    return this.document(account);
  }

  private async *document(account: AccountRow): AsyncGenerator<string> {
    yield `{"exportedAt":${JSON.stringify(new Date())},"account":${writeAccount(account)}`;
    for (const [name, write] of this.parts) {
      yield `,${JSON.stringify(name)}:`;
      yield* write(account.id);
    }
    yield '}\n';
  }
}
