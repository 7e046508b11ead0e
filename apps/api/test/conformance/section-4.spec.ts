import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { newEmail } from '@app/service/testing';
import { Controller, Get, Param, Query, SerializeOptions } from '@nestjs/common';
import { Exclude, Expose, Transform } from 'class-transformer';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

const password = 'correct horse battery staple';

class Secretive {
  id = 1;
  @Exclude() secret = 'never sent';
  @Expose({ groups: ['admin'] }) role = 'boss';
  @Transform(({ value }) => value.toUpperCase(), { toPlainOnly: true }) name = 'ada';
}

@Exclude()
class Closed {
  @Expose() id = 1;
  hidden = 'never sent';
}

/** Reads a raw query parameter, without validation. */
const asSent = { transform: (value: unknown) => value };

/** Responses that no route of the product has, to show their serialization. */
@Controller('trial')
@Public()
class TrialController {
  @Get('instance') @Returns('anything') instance(): Secretive {
    return new Secretive();
  }
  @Get('instances') @Returns('anything') instances(): Secretive[] {
    return [new Secretive(), new Secretive()];
  }
  @Get('plain') @Returns('anything') plain(): object {
    return Object.fromEntries(Object.entries(new Secretive()));
  }
  @Get('closed') @Returns('anything') closed(): Closed {
    return new Closed();
  }
  @Get('declared') @Returns('anything') @SerializeOptions({ type: Secretive }) declared(): object {
    return { id: 2, secret: 'never sent', role: 'boss', name: 'grace' };
  }
  @Get('admin') @Returns('anything') @SerializeOptions({ groups: ['admin'] }) admin(): Secretive {
    return new Secretive();
  }
  @Get('reader') reader(): string {
    return new Secretive().secret;
  }
  @Get('raw/:id') @Returns('anything') raw(
    @Param('id') id: unknown,
    @Query('count', asSent) count: unknown,
  ): object {
    return { id, count };
  }
}

section(4, (states) => {
  const api = bootApi();
  const trial = bootApi({ controllers: [TrialController] });
  const credentials = () => ({ email: newEmail(), password });

  states('§4: All payloads are JSON. `<id>` is …', async () => {
    const { client, id } = await signUp();
    for (const path of ['/users/me', `/users/${id}`, '/items', '/nowhere']) {
      expect((await client.get(path)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
  states('§4: POST /auth/login', async () => {
    const { email } = await signUp();
    const { status, json } = await api().post('/auth/login', { username: email, password });
    expect([status, Object.keys(json)]).toEqual([200, ['access_token']]);
    const wrong = await api().post('/auth/login', { username: email, password: 'not the password' });
    expect([wrong.status, wrong.text]).toEqual([401, '{"statusCode":401,"message":"Unauthorized"}']);
  });
  states('§4: GET /auth/profile', async () => {
    const client = await api.newcomer();
    expect(Object.keys((await client.get('/auth/profile')).json)).toEqual(['userId', 'username']);
    expect((await api().get('/auth/profile')).status).toBe(401);
  });
  states('§4: POST /users', async () => {
    const body = credentials();
    expect((await api().post('/users', body)).text).toBe(JSON.stringify({ ok: true, email: body.email }));
    const secondUser = credentials();
    const echo = await api().with({ prefer: 'return=representation' }).post('/users', secondUser);
    expect(echo.json).toEqual({ email: secondUser.email });
  });
  states('§4: PATCH /users/<id>', async () => {
    const { client, id } = await signUp();
    const email = newEmail();
    const { status, json } = await client.patch(`/users/${id}`, { email });
    expect([status, json]).toEqual([200, { email }]);
  });
  states('§4: GET /users/<id>', async () => {
    const { client, id, email } = await signUp();
    expect((await client.get(`/users/${id}`)).json).toEqual({ id, email });
  });
  states('§4: GET /users/me', async () => {
    const { client, id, email } = await signUp();
    expect((await client.get('/users/me')).json).toEqual({ id, email });
  });
  states('§4: GET /users/admin', async () => {
    const { json } = await (await api.administrator()).get('/users/admin');
    expect(Object.keys(json)).toEqual(['id', 'email', 'role', 'lastLoginIp']);
  });
  states('§4: GET /items', async () => {
    const { client } = await signUp();
    expect((await client.get('/items?limit=5')).json).toEqual({
      items: [],
      page: 1,
      limit: 5,
      nextPage: null,
    });
  });
  states('§4: GET /', async () => {
    const { headers } = await api().get('/');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
  });

  states('§4.1', async () => {
    const { client, id } = await signUp();
    expect((await client.patch(`/users/${id}`, { email: newEmail() })).status).toBe(200);
    expect((await api().post('/users', { email: newEmail() })).status).toBe(400);
  });
  states('§4.5', async () => {
    expect((await trial().get('/trial/instance')).json).toEqual({ id: 1, name: 'ADA' });
    expect((await trial().get('/trial/plain')).json).toEqual({
      id: 1,
      secret: 'never sent',
      role: 'boss',
      name: 'ada',
    });
    expect((await trial().get('/trial/declared')).json).toEqual({ id: 2, name: 'GRACE' });
    expect((await trial().get('/trial/instances')).json).toEqual([
      { id: 1, name: 'ADA' },
      { id: 1, name: 'ADA' },
    ]);
  });
  states('§4.6', async () => {
    expect((await trial().get('/trial/reader')).text).toBe('never sent');
    expect((await trial().get('/trial/instance')).text).not.toContain('never sent');
  });
  states('§4.7', async () => {
    expect((await trial().get('/trial/instance')).json).not.toHaveProperty('secret');
    expect((await trial().get('/trial/closed')).json).toEqual({ id: 1 });
    expect((await trial().get('/trial/admin')).json).toHaveProperty('role');
    expect((await trial().get('/trial/instance')).json.name).toBe('ADA');
  });
  states('§4.8', async () => {
    expect((await trial().get('/trial/declared')).json).not.toHaveProperty('role');
    expect((await trial().get('/trial/admin')).json).toEqual({ id: 1, role: 'boss', name: 'ADA' });
  });
  states('§4.9', async () => {
    expect((await trial().get('/trial/raw/7?count=08')).json).toEqual({ id: '7', count: '08' });
  });

  states('§4.10', async () => {
    expect((await api().post('/users', credentials())).status).toBe(201);
    for (const path of ['/health', '/health/live', '/health/ready']) {
      expect((await api().get(path)).status).toBe(200);
    }
  });

  async function signUp() {
    const { email } = credentials();
    const { headers } = await api().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { client: await api().signIn(email, password), id, email };
  }
});
