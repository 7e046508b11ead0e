import { randomBytes } from 'node:crypto';
import { accounts, Accounts, AuditLog, SignUp } from '@app/accounts';
import { exposureOf, IfGiven, IsMoment, NoLongerThan, Schema } from '@app/contract';
import { type Columns, Database, type MigrationContext, type TableDefinition } from '@app/persistence';
import { migratedDatabase } from '@app/persistence/testing';
import {
  definePlugin,
  defineProgram,
  describeRoutes,
  librarySchemas,
  makeProgram,
  readSettings,
} from '@app/service';
import { bootProgram, type Client, newEmail } from '@app/service/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsBoolean, IsOptional, Matches, MinLength } from 'class-validator';
import { sql } from 'kysely';

@Exclude()
class Profile {
  @Expose()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value), {
    toClassOnly: true,
  })
  @Matches(/^[a-z0-9]{2,20}$/)
  username!: string;
  @Expose() @IfGiven() @MinLength(1) @NoLongerThan(50) displayName?: string;
  @Expose() @Schema({ type: ['string', 'null'] }) @IsOptional() @NoLongerThan(50) image?: string | null;
  @Expose() @IfGiven() @IsMoment() bornAt?: string;
  @Expose() @IfGiven() @IsBoolean() isListed?: boolean;
  /** Accepted at sign-up alone. */
  @Expose({ groups: ['admin'] })
  @IfGiven({ groups: ['create'] })
  @MinLength(2, { groups: ['create'] })
  source?: string;
  /** Set by the application alone. */
  @Expose() @Schema({ type: ['integer', 'null'] }) points!: number | null;
  /** Never sent. */
  @IfGiven() @MinLength(2) answer?: string;
}

const profileTable: TableDefinition = {
  name: 'profile',
  secrecy: {
    accountId: 'internal',
    username: 'open',
    displayName: 'open',
    image: 'open',
    bornAt: 'open',
    isListed: 'open',
    source: 'operators',
    points: 'open',
    answer: 'secret',
    createdAt: 'owner',
  },
  exported: { part: 'profile' },
  migrations: { '0001-profile': { apply: createProfile } },
};

async function createProfile(
  db: MigrationContext,
  { integer, text, timestamp, boolean, now, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('profile')
    .$call(strictTypes)
    .addColumn('account_id', integer, (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('display_name', text)
    .addColumn('image', text)
    .addColumn('born_at', timestamp)
    .addColumn('is_listed', boolean)
    .addColumn('source', text)
    .addColumn('points', integer)
    .addColumn('answer', text)
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint('profile_username_unique', ['username'])
    .execute();
}

const profileParts = definePlugin({ name: 'profile-table', tables: [profileTable] });
const plan = defineProgram({ name: 'profiles', plugins: [accounts({ profile: Profile }), profileParts] });

const password = 'correct horse battery staple';
let last = 0;
const newName = () => `user${(last += 1)}`;

describe('users with a profile', () => {
  const program = bootProgram(plan);
  const db = () => program.app().get(Database, { strict: false });
  const profiles = async () =>
    (await sql<Record<string, unknown>>`select * from profile order by account_id`.execute(db())).rows;

  async function signUp(fields: object = {}) {
    const body = { email: newEmail(), password, username: newName(), ...fields };
    const { headers, status } = await program().post('/users', body);
    expect(status).toBe(201);
    const path = headers.get('location') ?? '';
    return {
      ...body,
      path,
      id: Number(path.split('/').at(-1)),
      client: await program().signIn(body.email, password),
    };
  }

  it('have it in every view that shows them', async () => {
    const { id, email, username, client } = await signUp({
      displayName: 'Ada',
      bornAt: '1815-12-10T00:00:00+01:00',
      isListed: false,
      source: 'a friend',
      answer: 'forty-two',
    });
    const own = {
      id,
      email,
      username,
      displayName: 'Ada',
      image: null,
      bornAt: '1815-12-09T23:00:00.000Z',
      isListed: false,
      points: null,
    };
    expect((await client.get('/users/me')).json).toEqual(own);
    expect((await client.get(`/users/${id}`)).json).toEqual(own);
    const operator = await program.administrator();
    expect((await operator.get(`/users/${id}`)).json).toEqual(own);
    const { items } = (await operator.get('/users?limit=100')).json;
    const listed = items.find((item: { id: number }) => item.id === id);
    expect(listed).toEqual({ ...own, role: 'user', lastLoginIp: '127.0.0.1', source: 'a friend' });
  });

  it('have it in the echo of a body', async () => {
    const body = { email: newEmail(), password, username: newName(), answer: 'forty-two' };
    const { json } = await program().with({ prefer: 'return=representation' }).post('/users', body);
    expect(json).toEqual({ email: body.email, username: body.username });
  });

  it('are not created if a rule of it is violated, or a field is none of it', async () => {
    const body = { email: newEmail(), password };
    const messages = async (fields: object) =>
      (await program().post('/users', { ...body, ...fields })).json.message;
    expect(await messages({})).toEqual(['username must match /^[a-z0-9]{2,20}$/ regular expression']);
    expect(await messages({ username: 'ab', displayName: null })).toEqual([
      'displayName must be longer than or equal to 1 characters',
    ]);
    for (const field of ['role', 'isActive', 'points', 'accountId', 'createdAt', 'disabledAt', 'id'])
      expect(await messages({ username: 'ab', [field]: 1 })).toEqual([`property ${field} should not exist`]);
    expect((await program().post('/auth/login', { username: body.email, password })).status).toBe(401);
  });

  it('change what is given, and nothing else', async () => {
    const { path, email, username, client } = await signUp({ displayName: 'Ada', image: 'a.png' });
    const view = async () => (await client.get('/users/me')).json;
    expect((await client.patch(path, { displayName: 'Ada L.' })).json).toEqual({ displayName: 'Ada L.' });
    expect(await view()).toMatchObject({ email, username, displayName: 'Ada L.', image: 'a.png' });
    expect((await client.patch(path, { image: null })).json).toEqual({ image: null });
    expect(await view()).toMatchObject({ displayName: 'Ada L.', image: null });
    expect((await client.patch(path, {})).status).toBe(200);
    expect((await client.patch(path, { displayName: null })).status).toBe(400);
    expect((await client.patch(path, { source: 'another' })).json.message).toEqual([
      'property source should not exist',
    ]);
    const renamed = newEmail();
    expect((await client.patch(path, { email: renamed, isListed: true })).json).toEqual({
      email: renamed,
      isListed: true,
    });
    expect(await view()).toMatchObject({ email: renamed, displayName: 'Ada L.', isListed: true });
  });

  it('are changed by themselves and administrators alone', async () => {
    const [own, stranger] = [await signUp(), await signUp()];
    expect((await stranger.client.patch(own.path, { displayName: 'Eve' })).status).toBe(404);
    expect((await (await program.administrator()).patch(own.path, { displayName: 'Ada' })).status).toBe(200);
    expect((await own.client.get('/users/me')).json.displayName).toBe('Ada');
  });

  it('cannot take a unique value of another, and nothing of such a request is stored', async () => {
    const [own, stranger] = [await signUp(), await signUp()];
    const conflict = { statusCode: 409, message: 'username is already taken', error: 'Conflict' };
    const body = { email: newEmail(), password, username: own.username };
    expect((await program().post('/users', body)).json).toEqual(conflict);
    expect((await program().post('/auth/login', { username: body.email, password })).status).toBe(401);
    const change = { email: newEmail(), username: own.username, displayName: 'Eve' };
    expect((await stranger.client.patch(stranger.path, change)).json).toEqual(conflict);
    const { email, username, displayName } = (await stranger.client.get('/users/me')).json;
    expect({ email, username, displayName }).toEqual({ email: stranger.email, username: stranger.username });
    const problem = await program().with({ accept: 'application/problem+json' }).post('/users', body);
    expect(problem.json).toMatchObject({
      status: 409,
      code: 'profile-conflict',
      errors: [{ pointer: '/username', code: 'profile-conflict' }],
    });
    expect((await program().post('/users', { ...body, email: own.email })).json.message).toBe(
      'email is already taken',
    );
  });

  it('get one value once, by concurrent sign-ups and changes', async () => {
    const wanted = newName();
    const before = (await profiles()).length;
    const others = await Promise.all([signUp(), signUp()]);
    const post = async (): Promise<number> => {
      const { status } = await program().post('/users', { email: newEmail(), password, username: wanted });
      // A slow machine may reject some of the concurrent hashes with 503.
      return status === 503 ? post() : status;
    };
    const statuses = await Promise.all([
      ...Array.from({ length: 4 }, post),
      ...others.map(async ({ client, path }) => (await client.patch(path, { username: wanted })).status),
    ]);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    const rows = await profiles();
    expect(rows.filter(({ username }) => username === wanted)).toHaveLength(1);
    expect(rows.length - before).toBe(statuses.includes(201) ? 3 : 2);
  });

  it('lack it if they were created without, until a change is complete', async () => {
    const operator = await program.administrator();
    const { userId } = (await operator.get('/auth/profile')).json;
    const view = async () => (await operator.get('/users/me')).json;
    expect(Object.keys(await view()).toSorted()).toEqual(['email', 'id', 'image', 'points']);
    const partial = await operator.patch(`/users/${userId}`, { displayName: 'Root' });
    expect([partial.status, partial.json.message]).toEqual([
      400,
      ['username must match /^[a-z0-9]{2,20}$/ regular expression'],
    ]);
    const username = newName();
    expect(
      (
        await operator.patch(`/users/${userId}`, {
          displayName: 'Root',
          username,
          bornAt: '2026-01-01T00:00:00Z',
        })
      ).status,
    ).toBe(200);
    expect(await view()).toMatchObject({
      displayName: 'Root',
      username,
      image: null,
      bornAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('have it in their export, without its secrets, and nothing of it after they left', async () => {
    const { id, username, client } = await signUp({ answer: 'forty-two', source: 'a friend' });
    const { json, text } = await client.get('/users/me/export');
    expect(json.profile).toEqual([
      {
        username,
        displayName: null,
        image: null,
        bornAt: null,
        isListed: null,
        source: 'a friend',
        points: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(text).not.toContain('forty-two');
    expect((await client.delete('/users/me')).status).toBe(204);
    expect((await profiles()).filter((row) => Number(row.account_id ?? row.accountId) === id)).toEqual([]);
    expect((await program().post('/users', { email: newEmail(), password, username })).status).toBe(201);
  });

  it('are recorded with the fields that changed and who changed them, without values', async () => {
    const { id, path, client } = await signUp({ displayName: 'Ada' });
    const operator = await program.administrator();
    const { userId: actorId } = (await operator.get('/auth/profile')).json;
    await client.patch(path, { displayName: 'Ada', image: null });
    await client.patch(path, { displayName: 'Countess', image: 'a.png' });
    await operator.patch(path, { image: 'b.png' });
    const events = await program.app().get(AuditLog).list({ limit: 20, offset: 0 }, { accountId: id });
    const changes = events.filter(({ kind }) => kind === 'profile-changed');
    expect(changes.map((event) => [event.actorId, event.detail])).toEqual([
      [actorId, '{"fields":["image"]}'],
      [null, '{"fields":["displayName","image"]}'],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Countess|png/);
  });

  it('have it as the class transforms it', async () => {
    const name = newName();
    const { client, path } = await signUp({ username: name.toUpperCase() });
    expect((await client.get('/users/me')).json.username).toBe(name);
    const again = { email: newEmail(), password, username: name.toUpperCase() };
    expect((await program().post('/users', again)).status).toBe(409);
    const changed = await client.patch(path, { username: `${name.toUpperCase()}X` });
    expect(changed.json).toEqual({ username: `${name}x` });
  });

  it('stay signed in after a change of it', async () => {
    const { path, client, email } = await signUp();
    const secondClient: Client = await program().signIn(email, password);
    await client.patch(path, { displayName: 'Ada' });
    expect([(await client.get('/users/me')).status, (await secondClient.get('/users/me')).status]).toEqual([
      200, 200,
    ]);
  });

  it('have it in the contract', async () => {
    const { json } = await program().get('/openapi.json');
    expect(await new Validator().validate(json)).toMatchObject({ valid: true });
    const exposure = exposureOf(describeRoutes(program.app()));
    const { accepts } = exposure['PATCH /users/:id'] ?? { accepts: {} };
    expect(Object.keys(accepts)).toEqual(
      expect.arrayContaining(['body.username', 'body.image', 'body.email']),
    );
    expect(Object.keys(accepts)).not.toContain('body.source');
    expect(exposure['GET /users/me']?.sends).toEqual(expect.arrayContaining(['username', 'points', 'id']));
    expect(exposure['GET /users/me']?.sends).not.toContain('source');
    expect(exposure['GET /users']?.sends).toContain('items[].source');
    expect(JSON.stringify(Object.values(exposure).map(({ sends }) => sends))).not.toContain('answer');
  });

  it('get from the services what a profile has, whatever else is in a body', async () => {
    const body = { username: newName(), role: 'admin', points: 7, disabledAt: new Date() };
    const created = await program.app().get(SignUp).create({ email: newEmail(), password, profile: body });
    expect([created.role, created.disabledAt]).toEqual(['user', null]);
    await program
      .app()
      .get(Accounts)
      .change(created.id, { profile: { points: 7, accountId: 1, displayName: 'Eve' } });
    const row = (await profiles()).find(({ username }) => username === body.username);
    expect(row).toMatchObject({ points: null });
  });
});

it('a profile without its table ends the start', async () => {
  const database = await migratedDatabase(librarySchemas);
  try {
    const settings = readSettings(plan.declarations, {
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('base64url'),
    });
    const starting = makeProgram({ name: plan.name, module: plan.module(settings), settings });
    await expect(starting).rejects.toThrow("the profile Profile needs a table 'profile'");
  } finally {
    await database.remove();
  }
});
