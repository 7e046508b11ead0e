import { NamedUserCreate } from '@app/accounts';
import { inGroups, mask, ValidationPipe } from '@app/engine';
import { type Client, newEmail } from '@app/service/testing';
import { IsEmail, MinLength, ValidateNested } from 'class-validator';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

const password = 'correct horse battery staple';
const [noEmail, short] = ['email must be an email', 'password must be longer than or equal to 8 characters'];

section(2, (states) => {
  const api = bootApi();
  let client: Client;
  let userId: number;
  beforeAll(async () => {
    client = await api.newcomer();
    userId = (await client.get('/auth/profile')).json.userId;
  });

  const problems = async (reply: Promise<{ status: number; json: { message: unknown } }>) => {
    const { status, json } = await reply;
    return status === 400 ? json.message : status;
  };
  const signUp = (body: object) => problems(api().post('/users', body));
  const update = (body: object) => problems(client.patch(`/users/${userId}`, body));

  states('§2: All fields are required unless marked …', async () => {
    expect(await signUp({})).toEqual([noEmail, short]);
    expect(await problems(client.post('/orders', {}))).toEqual(['items must be an array']);
    expect(await problems(api().post('/auth/login', {}))).toEqual([
      'username must be a string',
      'password must be a string',
    ]);
    expect(await signUp({ email: newEmail(), password, extra: 1 })).toEqual([
      'property extra should not exist',
    ]);
  });
  states('§2 UserCreate: email', async () => {
    for (const email of ['nobody', '', 1, null, {}, 'a@b', '@example.com']) {
      expect(await signUp({ email, password })).toEqual([noEmail]);
    }
  });
  states('§2 UserCreate: password', async () => {
    expect(await signUp({ email: newEmail(), password: '1234567' })).toEqual([short]);
    expect(await signUp({ email: newEmail(), password: '12345678' })).toBe(201);
  });
  states('§2 UserDto: email', async () => {
    expect(await signUp({ password })).toEqual([noEmail]);
    expect(await update({ password })).toEqual([noEmail]);
    expect(await update({ email: newEmail() })).toBe(200);
  });
  states('§2 UserDto: password', async () => {
    expect(await signUp({ email: newEmail() })).toEqual([short]);
    expect(await update({ email: newEmail() })).toBe(200);
  });
  states('§2 UserDto: Rules with no group run only …', async () => {
    class Mixed {
      @IsEmail({}, { groups: ['create'] }) email!: string;
      @MinLength(2) name!: string;
    }
    const pipe = (options: object) => new ValidationPipe({ exceptionFactory: (e) => e, ...options });
    const inGroup = { ...inGroups(Mixed, 'create'), type: 'body' as const, metatype: Mixed };
    const properties = (options: object, metadata: Parameters<ValidationPipe['transform']>[1]) =>
      pipe(options)
        .transform({}, metadata)
        .catch((errors: { property: string }[]) => errors.map(({ property }) => property));
    expect(await properties({}, inGroup)).toEqual(['email']);
    expect(await properties({ always: true }, inGroup)).toEqual(['email', 'name']);
    expect(await properties({}, { type: 'body', metatype: Mixed })).toContain('name');
  });
  states('§2 Name fields: firstName', () => nameRule('firstName'));
  states('§2 Name fields: lastName', () => nameRule('lastName'));
  states('§2 Name fields: The class also has a derived …', async () => {
    const body = { email: 'ada@example.com', password, firstName: 'Ada', lastName: 'Lovelace' };
    const asIs = { type: 'body', metatype: NamedUserCreate } as const;
    const user = (await new ValidationPipe({ transform: true }).transform(body, asIs)) as NamedUserCreate;
    expect(user.fullName()).toBe('Ada Lovelace');
    expect(await new ValidationPipe().transform(body, asIs)).not.toHaveProperty('fullName');
  });
  states('§2 PaginationQuery: limit', async () => {
    for (const limit of [1, 10, 100])
      expect((await client.get(`/items?limit=${limit}`)).json.limit).toBe(limit);
    for (const limit of ['0', '101', 'ten'])
      expect((await client.get(`/items?limit=${limit}`)).status).toBe(400);
  });
  states('§2 PaginationQuery: A query parameter `page` is converted …', async () => {
    expect((await client.get('/items?page=7')).json.page).toBe(7);
  });
  states('§2 CreateOrder: items', async () => {
    expect(await problems(client.post('/orders', { items: {} }))).toContain('items must be an array');
    expect(await problems(client.post('/orders', { items: [{ sku: 'tea', quantity: '' }] }))).toEqual([
      'items.0.quantity must be longer than or equal to 1 characters',
    ]);
  });
  states('§2 CreateOrder: sku', async () => {
    expect(await problems(client.post('/orders', { items: [{ sku: '', quantity: '1' }] }))).toBe(201);
    expect(await problems(client.post('/orders', { items: [{ quantity: '1' }] }))).toEqual([
      'items.0.sku must be a string',
    ]);
  });
  states('§2 CreateOrder: quantity', async () => {
    expect(await problems(client.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] }))).toBe(201);
    expect(await problems(client.post('/orders', { items: [{ sku: 'tea', quantity: 1 }] }))).toEqual([
      'items.0.quantity must be longer than or equal to 1 characters',
    ]);
  });
  states('§2 CreateOrder: Nested validation runs only when the …', async () => {
    class Undeclared {
      @ValidateNested({ each: true }) items!: { quantity: string }[];
    }
    const pipe = new ValidationPipe({ transform: true });
    const { items } = (await pipe.transform(
      { items: [{ quantity: 1 }] },
      { type: 'body', metatype: Undeclared },
    )) as Undeclared;
    expect(Object.getPrototypeOf(items[0])).toBe(Object.prototype);
  });
  states('§2 CreatePost: slug', async () => {
    expect(await problems(client.post('/posts', { slug: 'No Slug' }))).toEqual([
      'slug must be lowercase letters, digits, and dashes only',
    ]);
    expect(await problems(client.post('/posts', { slug: `a-slug-${userId}` }))).toBe(201);
  });
  states('§2 LoginRequest: username', async () => {
    expect(await problems(api().post('/auth/login', { username: 1, password }))).toEqual([
      'username must be a string',
    ]);
  });
  states('§2 LoginRequest: password', async () => {
    expect(await problems(api().post('/auth/login', { username: 'a', password: [] }))).toEqual([
      'password must be a string',
    ]);
  });
  states('§2 LoginResponse: access_token', async () => {
    const { json } = await signInAsAdministrator();
    expect(json).toEqual({ access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  });
  states('§2 Token claims: sub', async () => {
    expect((await claims()).sub).toEqual(expect.any(Number));
  });
  states('§2 Token claims: username', async () => {
    expect((await claims()).username).toBe(api.administratorEmail);
  });
  states('§2 Token claims: exp', async () => {
    const { iat, exp } = await claims();
    expect(exp - iat).toBe(60);
  });
  states('§2 Profile: userId', async () => {
    expect((await (await api.administrator()).get('/auth/profile')).json.userId).toBe((await claims()).sub);
  });
  states('§2 Profile: username', async () => {
    expect((await (await api.administrator()).get('/auth/profile')).json.username).toBe(
      api.administratorEmail,
    );
  });
  for (const field of ['id', 'email']) {
    states(`§2 User: ${field}`, async () => {
      const admin = await api.administrator();
      for (const path of [`/users/${userId}`, '/users/me', '/users/admin']) {
        expect((await admin.get(path)).json).toHaveProperty(field);
      }
    });
  }
  for (const field of ['role', 'lastLoginIp']) {
    states(`§2 User: ${field}`, async () => {
      const admin = await api.administrator();
      expect((await admin.get('/users/admin')).json).toHaveProperty(field);
      expect((await admin.get('/users/me')).json).not.toHaveProperty(field);
      expect((await admin.get(`/users/${userId}`)).json).not.toHaveProperty(field);
    });
  }
  for (const field of ['password', 'passwordResetToken']) {
    states(`§2 User: ${field}`, async () => {
      const admin = await api.administrator();
      for (const path of [`/users/${userId}`, '/users/me', '/users/admin', '/users']) {
        expect((await admin.get(path)).text).not.toMatch(RegExp(field, 'i'));
      }
    });
  }
  states('§2 User: createdAt', async () => {
    const slug = `dated-${userId}`;
    await client.post('/posts', { slug });
    const { createdAt } = (await client.get(`/posts/${slug}`)).json;
    expect(createdAt).toBe(new Date(createdAt).toISOString());
  });
  states('§2 User: apiKey', () => {
    expect(mask('sk_live_0123456789')).toBe('sk***89');
  });

  async function nameRule(field: 'firstName' | 'lastName'): Promise<void> {
    const body = { email: 'ada@example.com', password, firstName: 'Ada', lastName: 'Lovelace', [field]: 'A' };
    const pipe = new ValidationPipe();
    await expect(pipe.transform(body, { type: 'body', metatype: NamedUserCreate })).rejects.toMatchObject({
      response: { message: [`${field} must be longer than or equal to 2 characters`] },
    });
  }

  function signInAsAdministrator() {
    return api().post('/auth/login', {
      username: api.administratorEmail,
      password: api.administratorPassword,
    });
  }

  async function claims(): Promise<Record<string, never>> {
    const token: string = (await signInAsAdministrator()).json.access_token;
    return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  }
});
