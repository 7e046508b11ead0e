import { ById, compareExposures, NoLongerThan, Returns, RowId, Schema } from '@app/contract';
import { accounts, exportPart } from '@app/accounts';
import { Caller, facetFindings } from '@app/auth';
import type { Member } from '@app/organizations';
import { Page, paginate, PaginationQuery } from '@app/paging';
import {
  acrossTenants,
  Database,
  issueMembership,
  type Membership,
  openDatabase,
  TenantTableError,
} from '@app/persistence';
import { tenantSchema, useMigratedDatabase } from '@app/persistence/testing';
import { definePlugin, defineProgram, describeApi, eventHandler, Events, missing } from '@app/service';
import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { MinLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { bootProgram, gatherLog, newEmail } from '@app/service/testing';
import { bootApi } from '../apps/api/testing/boot-api';
import { teams } from '../apps/api/src/teams.plugin';
import { attack } from '../tools/attack/run.mts';
import { efforts } from '../tools/attack/target/target.mts';

/** Leaks between tenants, each with the line of defence that stops it. */
describe('a leak is stopped by the handle', () => {
  const store = useMigratedDatabase([tenantSchema]);
  const [first, second] = [issueMembership({ tenantId: 1 }), issueMembership({ tenantId: 2 })];
  const text = CompiledQuery.raw('select title from sample_project');
  beforeEach(async () => {
    for (const [id, membership] of [first, second].entries()) {
      const own = store.db.for(membership);
      await own
        .insertInto('sampleProject')
        .values({ id, title: `title ${id}`, rank: id })
        .execute();
      await own.insertInto('sampleTask').values({ id, projectId: id, note: null }).execute();
    }
  });

  it.each<[leak: string, run: (db: Database) => unknown]>([
    ['a select without the condition', (db) => db.selectFrom('sampleProject').selectAll().execute()],
    ['an update without the condition', (db) => db.updateTable('sampleProject').set({ rank: 7 }).execute()],
    ['a delete without the condition', (db) => db.deleteFrom('sampleTask').execute()],
    [
      'a subquery without the condition',
      (db) =>
        db
          .selectFrom('sampleTenant')
          .select('id')
          .where('id', 'in', (row) => row.selectFrom('sampleTask').select('projectId'))
          .execute(),
    ],
    ['raw SQL', (db) => sql`select * from sample_project`.execute(db)],
    ['raw SQL on a bound handle', (db) => sql`select * from sample_project`.execute(db.for(first))],
    ['compiled SQL', (db) => db.executeQuery(text)],
    ['compiled SQL on a connection', (db) => db.connection().execute((own) => own.executeQuery(text))],
    [
      'an insert into a foreign tenant',
      (db) =>
        db
          .for(first)
          .insertInto('sampleProject')
          .values({ id: 9, title: '', rank: 9, tenantId: 2 })
          .execute(),
    ],
    [
      'a move into a foreign tenant',
      (db) =>
        db
          .for(first)
          .updateTable('sampleProject')
          .set({ tenantId: 2 } as never)
          .execute(),
    ],
    [
      'a replacing insert',
      (db) => db.for(first).replaceInto('sampleProject').values({ id: 1, title: '', rank: 9 }).execute(),
    ],
  ])('%s', async (_leak, run) => {
    await expect(async () => run(store.db)).rejects.toThrow(TenantTableError);
  });

  it.each<[leak: string, run: (db: Database) => unknown]>([
    ['a forged membership', (db) => db.for({ tenantId: 2 } as Membership)],
    ['an unlisted exception', (db) => db.acrossTenants(acrossTenants('is in no plugin'))],
    ['a handle without plugins', (db) => db.withoutPlugins()],
    ['a transaction without a tenant', (db) => db.transaction()],
  ])('%s', async (_leak, run) => {
    const db = openDatabase(store.url, { tenantExceptions: [] });
    expect(() => run(db)).toThrow(TypeError);
    await db.destroy();
  });

  it('a join whose condition forgets a table', async () => {
    const rows = await store.db
      .for(first)
      .selectFrom('sampleProject as p')
      .innerJoin('sampleTask as t', (join) => join.onTrue())
      .select(['p.tenantId as project', 't.tenantId as task'])
      .execute();
    expect(rows).toEqual([{ project: 1, task: 1 }]);
  });
});

/** A project, as the export and the event show it. */
@Exclude()
class SampleProject {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() title!: string;
}

declare module '@app/service' {
  interface EventData {
    'projects.listed': SampleProject;
  }
}

/** A store that forgets the tenant. */
class ForgetfulStore {
  constructor(private readonly db: Database) {}

  readProjects(): Promise<SampleProject[]> {
    return this.db.selectFrom('sampleProject').select(['id', 'title']).execute();
  }
}

describe('a leak outside a route is stopped by the handle', () => {
  const gathered = gatherLog();
  const sample = definePlugin({
    name: 'sample',
    tables: tenantSchema.tables,
    providers: () => [
      { provide: ForgetfulStore, inject: [Database], useFactory: (db: Database) => new ForgetfulStore(db) },
    ],
    exports: [
      exportPart(ForgetfulStore, {
        name: 'projects',
        as: SampleProject,
        read: (store) => store.readProjects(),
      }),
    ],
    events: { 'projects.listed': SampleProject },
    handlers: [
      eventHandler(
        'projects.listed',
        'digest',
        ForgetfulStore,
        async (store) => void (await store.readProjects()),
      ),
    ],
  });
  const program = bootProgram({
    ...defineProgram({ name: 'shop', plugins: [sample, accounts()] }),
    logs: gathered.logs,
  });

  it.each<[leak: string, start: () => Promise<unknown>, message: string]>([
    [
      'an export',
      async () => {
        const [email, password] = [newEmail(), 'correct horse battery staple'];
        await program().post('/users', { email, password });
        const client = await program().signIn(email, password);
        await expect(client.get('/users/me/export')).rejects.toThrow('terminated');
      },
      'error after headers sent',
    ],
    [
      'an event handler',
      () => {
        const db = program.app().get(Database, { strict: false });
        return program.app().get(Events, { strict: false }).add('projects.listed', { id: 1, title: 'a' }, db);
      },
      'event handler failed: digest of projects.listed, attempt 1',
    ],
  ])('%s', async (_leak, start, message) => {
    await start();
    await vi.waitFor(() => {
      const line = gathered.lines().find(({ msg }) => msg === message);
      expect(JSON.stringify(line)).toContain('sampleProject');
    }, 10_000);
  });
});

describe('a leak is stopped at start', () => {
  class Leaky {
    list(): void {}
  }
  @teams.Member()
  class Misled {
    list(): void {}
  }

  it.each([
    ['a route for everybody', Leaky, '/organizations/:organizationId/leaky', 'SLUICE-C309'],
    ['a parameter with a pattern', Leaky, '/organizations/:organizationId(\\d+)/leaky', 'SLUICE-C309'],
    ['a membership by a different parameter', Misled, '/teams/:id/leaky', 'SLUICE-C310'],
  ])('%s', (_leak, controller, path, code) => {
    const list: Function = Reflect.get(controller.prototype, 'list');
    const remedy = expect.stringContaining('@Member()');
    expect(facetFindings(list, controller, path)).toEqual([{ code, problem: expect.any(String), remedy }]);
  });
});

describe('a leak is stopped by the lock', () => {
  const route = (members?: readonly string[]) => ({
    'GET /organizations/:organizationId/notes': {
      audience: 'user' as const,
      strategies: ['jwt'],
      roles: [],
      accepts: {},
      sends: [],
      ...(members && { members }),
    },
  });

  it.each([
    ['a removed role check', undefined, 'has no members'],
    ['a further role', ['guest', 'owner'], 'now also `guest`'],
  ])('%s', (_leak, members, line) => {
    expect(compareExposures(route(['owner']), route(members)).wider).toEqual([expect.stringContaining(line)]);
  });

  const sending = (to?: readonly string[]) => ({
    'GET /notes': {
      audience: 'user' as const,
      strategies: ['jwt'],
      roles: [],
      accepts: {},
      sends: ['email'],
      ...(to && { audiences: { email: to } }),
    },
  });

  it.each([
    [
      'a field for every caller',
      undefined,
      'GET /notes sends email to every caller; it was for admin or self',
    ],
    ['a further audience of a field', ['admin', 'self', 'user'], 'GET /notes sends email to `user`'],
  ])('%s', (_leak, to, line) => {
    const before = sending(['admin', 'self']);
    expect(compareExposures(before, sending(to))).toEqual({ wider: [line], narrower: [] });
    expect(compareExposures(sending(to), before).wider).toEqual([]);
  });
});

@Exclude()
class Note {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() title!: string;
}

class WriteNote {
  @MinLength(1)
  @NoLongerThan(100)
  title!: string;
}

class NotePath extends ById {
  @RowId()
  organizationId!: number;
}

interface NoteRow {
  readonly id: number;
  readonly tenantId: number;
  title: string;
}

/** The notes of all organizations, which the fixture does not keep in a tenant table. */
const notes: NoteRow[] = [];
const replies = new Map<string, NoteRow>();
/** The planted leak. */
let leak = '';

@Controller('organizations/:organizationId/notes')
@teams.Member()
class LeakyNotes {
  @Get()
  @Returns(Page(Note))
  async list(
    @Query() query: PaginationQuery,
    @Caller() { membership }: Member,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, async ({ limit, offset, after = 0 }) => {
      const cursorTenant = notes.find(({ id }) => leak === 'cursor' && id === after)?.tenantId;
      const tenant = cursorTenant ?? membership.tenantId;
      return notes
        .filter(({ tenantId, id }) => (leak === 'list' || tenantId === tenant) && id > after)
        .slice(after > 0 ? 0 : offset)
        .slice(0, limit);
    });
  }

  @Get(':id')
  @Returns(Note)
  read(@Param() { id }: NotePath, @Caller() caller: Member): NoteRow {
    return find('read', id, caller);
  }

  @Get(':id/file')
  @Returns('bytes')
  download(@Param() { id }: NotePath, @Caller() caller: Member): Buffer {
    return Buffer.from(find('upload path', id, caller).title);
  }

  @Post()
  @Returns(Note)
  create(
    @Body() { title }: WriteNote,
    @Caller() { membership: { tenantId } }: Member,
    @Headers('idempotency-key') key: string | undefined,
  ): NoteRow {
    const row = (leak === 'idempotency key' && replies.get(key ?? '')) || {
      id: notes.length + 1,
      tenantId,
      title,
    };
    if (key !== undefined) replies.set(key, row);
    if (!notes.includes(row)) notes.push(row);
    return row;
  }

  @Patch(':id')
  @Returns(Note)
  change(@Param() { id }: NotePath, @Body() { title }: WriteNote, @Caller() caller: Member): NoteRow {
    return Object.assign(find('change', id, caller), { title });
  }

  @Delete(':id')
  @HttpCode(204)
  @Returns('nothing')
  remove(@Param() { id }: NotePath, @Caller() caller: Member): void {
    find('remove', id, caller);
  }
}

function find(route: string, id: number, { membership }: Member): NoteRow {
  const row = notes.find(
    (note) => note.id === id && (leak === route || note.tenantId === membership.tenantId),
  );
  return row ?? missing('note', id);
}

const env = { SIGN_UP_ADDRESS_LIMIT: 'off', RATE_LIMIT: 'off' };

describe('a leak is stopped by the attack', () => {
  const api = bootApi({ controllers: [LeakyNotes], env });

  async function attacked(planted: string) {
    leak = planted;
    const password = 'correct horse battery staple';
    const account = async () => {
      const email = newEmail();
      await api().post('/users', { email, password });
      return `${email}:${password}`;
    };
    const results = await attack(
      {
        url: api().url,
        document: { text: JSON.stringify(describeApi(api.app())) },
        accounts: {
          user: await account(),
          other: await account(),
          admin: `${api.administratorEmail}:${api.administratorPassword}`,
        },
        addresses: [],
      },
      { effort: efforts.quick, only: ['tenants'] },
    );
    const problems = results.flatMap(({ failures }) => failures.map(({ problem }) => problem));
    return problems.concat(results.flatMap(({ lacks }) => lacks));
  }

  it('only if there is a leak', async () => {
    expect(await attacked('')).toEqual([]);
  });

  it('but a trusted cursor is stopped before, because a list refuses the cursor of a different path', async () => {
    expect(await attacked('cursor')).toEqual([]);
  });

  it.each([
    ['list', 'GET /organizations/{organizationId}/notes lists a row of a foreign tenant'],
    ['read', 'GET /organizations/{organizationId}/notes/{id} answers 200 for the row of a foreign tenant'],
    [
      'upload path',
      'GET /organizations/{organizationId}/notes/{id}/file answers 200 for the row of a foreign tenant',
    ],
    [
      'change',
      'PATCH /organizations/{organizationId}/notes/{id} answers 200 for the row of a foreign tenant',
    ],
    [
      'remove',
      'DELETE /organizations/{organizationId}/notes/{id} answers 204 for the row of a foreign tenant',
    ],
    [
      'idempotency key',
      'POST /organizations/{organizationId}/notes repeats the response to a foreign tenant',
    ],
  ])('%s', async (planted, problem) => {
    expect(await attacked(planted)).toContain(problem);
  });
});
