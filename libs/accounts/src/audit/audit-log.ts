import { computed, Database, type Queries, statement } from '@app/persistence';
import { type Slice, sortedList } from '@app/paging';
import { z } from 'zod';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditEventRow } from './audit-event.table';
import { APPLICATION } from '../options';

/** The audit event kinds. */
export const auditKinds = [
  'sign-in',
  'sign-in-failed',
  'session-created',
  'session-refreshed',
  'refresh-token-repeated',
  'refresh-token-reused',
  'session-revoked',
  'password-changed',
  'password-reset-requested',
  'password-reset',
  'email-verified',
  'email-change-requested',
  'email-changed',
  'email-change-undone',
  'role-changed',
  'profile-changed',
  'account-created',
  'account-disabled',
  'account-enabled',
  'account-deleted',
  'account-exported',
  'administrator-reset',
  'api-key-created',
  'api-key-used',
  'api-key-revoked',
  'factor-enrolled',
  'factor-ended',
  'factor-replaced',
  'factor-used',
  'access-refused',
  'factor-requested',
  'rate-limit-exceeded',
  'outbox-read',
  'audit-exported',
] as const;

/** The plugins' kinds: `interface OwnAuditKinds { 'card-stamped': true }` in the module `@app/accounts`. */
export interface OwnAuditKinds {}

/** An event kind. */
export type AuditKind = (typeof auditKinds)[number] | Extract<keyof OwnAuditKinds, string>;

/** Every kind that a program records, including its plugins' kinds. */
export const recordedKinds: string[] = [...auditKinds];

/** Adds the plugins' kinds. */
export function registerAuditKinds(kinds: readonly AuditKind[]): void {
  for (const kind of kinds) if (!recordedKinds.includes(kind)) recordedKinds.push(kind);
}

/** An event to record. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** The affected account; absent if there was no account. */
  readonly accountId?: number;
  /** The account that acted, if it differs from the affected account. */
  readonly actorId?: number;
  readonly ip?: string;
  /** Further facts. They must exclude passwords, tokens, keys, and usernames as entered. */
  readonly detail?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** An event that repeats and comes from an address. */
export type RepeatedEvent = AuditEvent & { readonly ip: string };

/** Filters events; absent fields match all. */
export interface AuditFilter {
  readonly accountId?: number;
  readonly kind?: AuditKind;
}

/** The fields in a row with repeated events. The first time is the row's `createdAt`. */
interface Repetitions {
  readonly times: number;
  /** The last time, as ISO 8601 in UTC with milliseconds. */
  readonly last: string;
  /** The first {@link MAX_ADDRESSES} different addresses. */
  readonly addresses: readonly string[];
}

const MAX_ADDRESSES = 20;

type NewEventRow = Omit<AuditEventRow, 'id' | 'block'>;

/** The kinds with a row per day that gathers repetitions. Such a row changes until its day is over. */
export const repeatedKinds: readonly AuditKind[] = ['session-refreshed'];

/** The accounts' audit log. Its rows are immutable, except for repeated events until the day is over. */
@Injectable()
export class AuditLog {
  /** @param program the recording program's name, such as `api` */
  constructor(
    private readonly db: Database,
    @Inject(APPLICATION) private readonly program: string,
  ) {}

  /** @param db the change's transaction, so that the change and the event are committed together */
  async record(event: AuditEvent, db: Queries = this.db): Promise<void> {
    await insert.execute(db, { first: this.rowOf(event) });
  }

  /** Records up to two events in a single statement. */
  async recordAll([first, second]: readonly [AuditEvent, AuditEvent?], db: Queries): Promise<void> {
    if (second === undefined) await this.record(first, db);
    else await insertTwo.execute(db, { first: this.rowOf(first), second: this.rowOf(second) });
  }

  /**
   * Records a repeated event. A row per day (UTC) has the first and the last time, the count and the addresses.
   *
   * @param gatheredBy the return value for the previous event
   * @returns the id of the row that counts the event
   */
  async recordRepeated(event: RepeatedEvent, gatheredBy: number | null, db: Queries): Promise<number> {
    const gathering = gatheredBy === null ? undefined : await this.findOfToday(gatheredBy, db);
    const detail = JSON.stringify({ ...event.detail, ...repeatedBy(event, gathering) });
    const isGathered = gathering && (await setDetail.count(db, { id: gathering.id, detail })) > 0;
    return isGathered ? gathering.id : (await insert.one(db, { first: { ...this.rowOf(event), detail } })).id;
  }

  private async findOfToday(id: number, db: Queries): Promise<AuditEventRow | undefined> {
    const row = await byId.first(db, { id });
    return row !== undefined && dayOf(row.createdAt) === dayOf(new Date()) ? row : undefined;
  }

  /** Lists events, newest first; `after` continues after an event. */
  list(
    slice: Slice,
    { accountId, kind }: AuditFilter = {},
    db: Queries = this.db.replica,
  ): Promise<AuditEventRow[]> {
    const filter = { ...(accountId !== undefined && { accountId }), ...(kind !== undefined && { kind }) };
    return list(db, { ...slice, filter }, {});
  }

  private rowOf({ kind, accountId, actorId, ip, detail = {} }: AuditEvent): NewEventRow {
    return {
      kind,
      accountId: accountId ?? null,
      actorId: actorId ?? null,
      ip: ip ?? null,
      program: this.program,
      detail: JSON.stringify(detail),
      createdAt: new Date(),
    };
  }
}

const insert = statement(({ first }: { first: NewEventRow }, db) =>
  db.insertInto('auditEvent').values(valuesOf(first)).returning('id'),
);

const insertTwo = statement(({ first, second }: { first: NewEventRow; second: NewEventRow }, db) =>
  db.insertInto('auditEvent').values([first, second].map(valuesOf)),
);

/** @param event an event from a statement's first argument */
function valuesOf(event: NewEventRow): NewEventRow {
  return {
    kind: computed(event, ({ kind }) => kind),
    accountId: computed(event, ({ accountId }) => accountId),
    actorId: computed(event, ({ actorId }) => actorId),
    ip: computed(event, ({ ip }) => ip),
    program: computed(event, ({ program }) => program),
    detail: computed(event, ({ detail }) => detail),
    createdAt: computed(event, ({ createdAt }) => createdAt),
  };
}

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('auditEvent').selectAll().where('id', '=', id),
);

const setDetail = statement(({ id, detail }: { id: number; detail: string }, db) =>
  db.updateTable('auditEvent').set({ detail }).where('id', '=', id).where('block', 'is', null),
);

const list = sortedList((_given, db) => db.selectFrom('auditEvent').selectAll(), { isNewestFirst: true });

const repetitionsSchema = z.object({ times: z.number(), addresses: z.array(z.string()) });

/**
 * The schema for an event's facts. It also accepts a list, because an event that somebody changed in the store is listed as it
 * is.
 */
const detailSchema = z.custom<object>((value) => typeof value === 'object' && value !== null);

/** Reads an event's facts. */
export function readDetail({ detail }: Pick<AuditEventRow, 'detail'>): object {
  return detailSchema.parse(JSON.parse(detail));
}

function repeatedBy({ ip }: RepeatedEvent, before: AuditEventRow | undefined): Repetitions {
  const { times, addresses } = before
    ? repetitionsSchema.parse(JSON.parse(before.detail))
    : { times: 0, addresses: [] };
  const isKnown = addresses.includes(ip) || addresses.length >= MAX_ADDRESSES;
  return {
    times: times + 1,
    last: new Date().toISOString(),
    addresses: isKnown ? addresses : [...addresses, ip],
  };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
