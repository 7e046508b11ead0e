import { Database, openDatabase, type Queries, StoreUnavailableError } from '@app/persistence';
import { type CompiledQuery, type QueryResult, SelectQueryNode } from 'kysely';
import type { Program } from './program.mts';
import type { Server } from './world.mts';

/** The database that compiles the statements of all programs. It is never opened. */
const compiler = openDatabase('sqlite:none');
const nowhere = { dialect: 'sqlite', path: 'none', place: 'simulated' } as const;
const ROLLED_BACK = 0.02;
/** The value of `DATABASE_POOL_SIZE`. */
const CONNECTIONS = 10;

/** A program's handle to the simulated server, which behaves as PostgreSQL does. */
export class SimulatedDatabase extends Database {
  override readonly dialect = 'postgres';
  private readonly program: Program;
  private free = CONNECTIONS;
  private readonly waiting: (() => void)[] = [];

  constructor(program: Program) {
    super(nowhere);
    this.program = program;
  }

  override getExecutor(): ReturnType<Database['getExecutor']> {
    return compiler.getExecutor();
  }

  override openAnother(): SimulatedDatabase {
    return new SimulatedDatabase(this.program);
  }

  override async destroy(): Promise<void> {}

  /** Executes a single statement. A statement that writes is committed by itself. */
  override executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  override async executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.free === 0) await new Promise<void>((resolve) => void this.waiting.push(resolve));
    else this.free -= 1;
    try {
      return await this.send(query);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }

  private send(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { world } = this.program;
    const { server, events } = world;
    const altered = world.alter(query);
    return this.program.request((answer, fail) => {
      if (SelectQueryNode.is(query.query)) return answer(server.engine.run(altered));
      const { epoch } = server;
      events.after(world.commitMs(), () => {
        if (server.epoch !== epoch) return fail(lost());
        answer(this.execute(server, altered));
      });
    });
  }

  /** Runs a transaction. Other transactions see its writes all at once, from its commit on. */
  override async transact<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const { program } = this;
    const { world } = program;
    const { server, events, random } = world;
    const epoch = await program.request<number>((answer) => answer(server.epoch));
    const writes: CompiledQuery[] = [];
    const value = await work(new SimulatedTransaction(program, writes));
    return program.request((answer, fail) => {
      if (random.chance(ROLLED_BACK)) return fail(new Error('rolled back'));
      events.after(world.commitMs(), () => {
        if (server.epoch !== epoch) return fail(lost());
        for (const write of writes) this.execute(server, write);
        answer(value);
      });
    });
  }

  private execute({ engine }: Server, query: CompiledQuery): QueryResult<unknown> {
    const result = engine.run(query);
    const { program } = this;
    program.world.onWrite(program, query, result);
    return result;
  }
}

/** Executes the writes of a transaction at its commit. */
class SimulatedTransaction extends SimulatedDatabase {
  private readonly writes: CompiledQuery[];
  private readonly owner: Program;

  constructor(program: Program, writes: CompiledQuery[]) {
    super(program);
    this.owner = program;
    this.writes = writes;
  }

  override executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  override async executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return this.owner.request((answer) => {
      this.writes.push(this.owner.world.alter(query));
      answer({ rows: [], numAffectedRows: 1n });
    });
  }
}

function lost(): StoreUnavailableError {
  return new StoreUnavailableError('the server was restarted');
}
