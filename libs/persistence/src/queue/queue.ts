import type { Kysely } from 'kysely';
import type { Queries } from '../tenants/queries';
import { statement } from '../statements/statement';

/** The text before any lane and key, which are not empty. */
const START = '';

/** The delay after the first failed attempt. It doubles with each further attempt. */
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;

/** The columns in a table with waiting work. */
export interface WorkRow {
  readonly id: number;
  /** The number of attempts, including the current attempt. */
  readonly attempts: number;
  /** When the next attempt follows, or the claim ends; `null` if no attempt follows. */
  readonly dueAt: Date | null;
  /** The last failure; `null` before. */
  readonly failure: string | null;
}

/** A table with waiting work. */
export interface QueueOptions {
  /** The table, by its name in `Tables`. It has the {@link WorkRow} columns. */
  readonly table: string;
  /** The column whose values take turns, however many rows they have. */
  readonly lane: string;
  /** The column whose rows are claimed in sequence by id, within a lane or in all lanes. */
  readonly key: string;
  /**
   * The rows that wait. `strict`: a row waits for every earlier row with its lane and key. `unless-deferred`: a row waits for earlier
   * rows with its key, except after their failure.
   */
  readonly order: 'strict' | 'unless-deferred';
  /** This program's lanes; default all lanes. */
  readonly lanes?: readonly string[];
}

/** The types of a queue's table, whose name and columns are known at run time. */
interface QueueTables {
  queue: WorkRow & { readonly lane: string; readonly key: string };
}

/**
 * Claims waiting work in a table: round-robin over lanes, and in each lane over keys. Several programs may share a table. A claim
 * ends at a time, after which the claiming program is presumed dead.
 */
export class Queue<Row extends WorkRow> {
  private readonly statements: ReturnType<typeof statementsOf<Row>>;
  private lane = START;
  /** The key that was served last, by lane. */
  private readonly keys = new Map<string, string>();

  constructor(options: QueueOptions) {
    this.statements = statementsOf<Row>(options);
  }

  /**
   * Claims the next due row. Calls must not overlap.
   *
   * @returns `undefined` if no row is due
   */
  async claim(db: Queries, now: Date, claimedUntil: Date): Promise<Row | undefined> {
    for (;;) {
      const id = await this.next(db, now);
      if (id === undefined) return undefined;
      const row = await this.statements.claim.first(db, { id, now, claimedUntil });
      if (row !== undefined) return row;
    }
  }

  /** Extends a claim, unless a different program has claimed the row since. */
  async renew(db: Queries, { id, attempts }: WorkRow, claimedUntil: Date): Promise<void> {
    await this.statements.renew.execute(db, { id, attempts, claimedUntil });
  }

  /** Records a failed attempt. @param dueAt when the next attempt follows; `null` if no attempt follows */
  async postpone(db: Queries, id: number, dueAt: Date | null, failure: string): Promise<void> {
    await this.statements.postpone.execute(db, { id, dueAt, failure });
  }

  private async next(db: Queries, now: Date): Promise<number | undefined> {
    const { nextLane, nextInLane } = this.statements;
    const turn =
      (await nextLane.first(db, { now, after: this.lane })) ??
      (await nextLane.first(db, { now, after: START }));
    if (turn === undefined) {
      this.keys.clear();
      return undefined;
    }
    const { lane } = turn;
    const after = this.keys.get(lane) ?? START;
    const row =
      (await nextInLane.first(db, { now, lane, after })) ??
      (await nextInLane.first(db, { now, lane, after: START }));
    this.lane = lane;
    if (row !== undefined) this.keys.set(lane, row.key);
    return row?.id;
  }
}

/** Returns the time of the next attempt. Each failed attempt doubles the delay, up to an hour. */
export function retryAt(now: Date, { attempts }: Pick<WorkRow, 'attempts'>): Date {
  return new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS));
}

function statementsOf<Row extends WorkRow>({ table, lane, key, order, lanes }: QueueOptions) {
  const { queue, laneColumn, keyColumn }: Names = Object({ queue: table, laneColumn: lane, keyColumn: key });
  const due = (now: Date, db: Queries) => {
    const rows = typed(db)
      .selectFrom(`${queue} as row`)
      .where('row.dueAt', '<=', now)
      .where((row) => {
        const earlier = row
          .selectFrom(`${queue} as earlier`)
          .select('earlier.id')
          .whereRef(`earlier.${keyColumn}`, '=', `row.${keyColumn}`)
          .whereRef('earlier.id', '<', 'row.id');
        const waiting =
          order === 'strict'
            ? earlier.whereRef(`earlier.${laneColumn}`, '=', `row.${laneColumn}`)
            : earlier.where('earlier.dueAt', 'is not', null).where('earlier.failure', 'is', null);
        return row.not(row.exists(waiting));
      });
    return lanes === undefined ? rows : rows.where(`row.${laneColumn}`, 'in', lanes);
  };
  return {
    nextLane: statement(({ now, after }: { now: Date; after: string }, db) =>
      due(now, db)
        .select(`row.${laneColumn} as lane`)
        .where(`row.${laneColumn}`, '>', after)
        .orderBy(`row.${laneColumn}`)
        .limit(1),
    ),
    nextInLane: statement(({ now, lane: name, after }: { now: Date; lane: string; after: string }, db) =>
      due(now, db)
        .select(['row.id', `row.${keyColumn} as key`])
        .where(`row.${laneColumn}`, '=', name)
        .where(`row.${keyColumn}`, '>', after)
        .orderBy(`row.${keyColumn}`)
        .orderBy('row.id')
        .limit(1),
    ),
    claim: statement(({ id, now, claimedUntil }: { id: number; now: Date; claimedUntil: Date }, db) =>
      typed(db)
        .updateTable(queue)
        .set((row) => ({ attempts: row('attempts', '+', 1), dueAt: claimedUntil }))
        .where('id', '=', id)
        // Of two programs that select a row at once, the second finds it changed.
        .where('dueAt', '<=', now)
        .returningAll()
        .$castTo<Row>(),
    ),
    renew: statement(({ id, attempts, claimedUntil }: Renewed, db) =>
      typed(db)
        .updateTable(queue)
        .set({ dueAt: claimedUntil })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('dueAt', 'is not', null),
    ),
    postpone: statement(({ id, dueAt, failure }: { id: number; dueAt: Date | null; failure: string }, db) =>
      typed(db).updateTable(queue).set({ dueAt, failure }).where('id', '=', id),
    ),
  };
}

/** The names of the table and its columns, as {@link QueueTables} has them. */
interface Names {
  readonly queue: 'queue';
  readonly laneColumn: 'lane';
  readonly keyColumn: 'key';
}

function typed(db: Queries): Kysely<QueueTables> {
  return Object(db);
}

interface Renewed {
  readonly id: number;
  readonly attempts: number;
  readonly claimedUntil: Date;
}
