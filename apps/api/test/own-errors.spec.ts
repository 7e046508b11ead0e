import { once } from 'node:events';
import { Returns, type SentError } from '@app/contract';
import { makeProgram, readSettings } from '@app/service';
import { openConnection } from '@app/service/testing';
import { Controller, Get } from '@nestjs/common';
import { Exclude, Expose, Type } from 'class-transformer';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

@Controller('failing')
class FailingController {
  @Get()
  @Returns('nothing')
  fail(): void {
    throw new Error('unhandled');
  }
}

@Exclude()
class OwnBody {
  @Expose() code!: string;
  @Expose() @Type(() => Object) errors!: Record<string, readonly string[]>;
  secret = 'what is not exposed is not sent';

  static of({ code, messages, fields, requestId }: SentError): OwnBody {
    const byField = Object.fromEntries(fields.map(({ field, messages: texts }) => [field, texts]));
    const errors = fields.length > 0 ? byField : { '': requestId ? [requestId] : messages };
    return Object.assign(new OwnBody(), { code, errors });
  }
}

class OpenBody {
  text = 'all of it would be sent';
  static of(): OpenBody {
    return new OpenBody();
  }
}

describe('errors in a form of the application', () => {
  // Each response is compared with the OpenAPI document of the program.
  const api = bootApi({
    controllers: [FailingController],
    errors: { body: OwnBody, status: { invalid: 422, 'email-conflict': 422 } },
  });

  it('have another status for values that violate a rule, by field', async () => {
    const { status, json } = await api().post('/users', { email: 'ada', password: 'short' });
    expect({ status, json }).toEqual({
      status: 422,
      json: {
        code: 'invalid-input',
        errors: {
          email: ['email must be an email'],
          password: ['password must be longer than or equal to 8 characters'],
        },
      },
    });
    expect((await api().post('/auth/login', { username: 1 })).status).toBe(422);
    expect((await (await api.administrator()).get('/items?limit=0')).status).toBe(422);
  });

  it('of what cannot be read, of callers and of what is not there keep theirs', async () => {
    const sent = await fetch(`${await api.app().getUrl()}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    const { code } = (await sent.json()) as OwnBody;
    expect({ status: sent.status, code }).toEqual({ status: 400, code: 'malformed-json' });
    expect((await api().get('/users/me')).json).toEqual({
      code: 'unauthorized',
      errors: { '': ['Unauthorized'] },
    });
    const newcomer = await api.newcomer();
    expect((await newcomer.get('/users')).json).toEqual({
      code: 'forbidden',
      errors: { '': [expect.any(String)] },
    });
    const failed = await newcomer.get('/failing');
    expect(failed.json).toEqual({
      code: 'internal-server-error',
      errors: { '': [failed.headers.get('x-request-id')] },
    });
    expect((await newcomer.get('/nowhere')).json.errors).toEqual({
      '': [expect.stringContaining('/nowhere')],
    });
  });

  it('have another status for a code, and name the members of a conflict', async () => {
    const { status, json } = await api().post('/users', {
      email: api.administratorEmail,
      password: 'long enough',
    });
    expect({ status, json }).toEqual({
      status: 422,
      json: { code: 'email-conflict', errors: { email: ['email is already taken'] } },
    });
  });

  it('are problems for callers that accept them, with the same status', async () => {
    const { status, json } = await api()
      .with({ accept: 'application/problem+json' })
      .post('/users', { email: 'ada', password: 'long enough' });
    expect({ status, json }).toMatchObject({ status: 422, json: { status: 422, code: 'invalid-input' } });
  });

  it('are sent before the framework too', async () => {
    const { port } = new URL(await api.app().getUrl());
    const socket = await openConnection(Number(port));
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.write('GET / HTTP/9.9\r\n\r\n');
    await once(socket, 'close');
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      code: expect.any(String),
      errors: { '': [expect.any(String)] },
    });
  });
});

it.each([
  { 'email-conflict': 200 },
  { 'email-conflict': 401 },
  { 'email-conflict': 422.5 },
  { unauthorized: 403 },
  { 'internal-server-error': 503 },
])('errors with the statuses %j end the start', async (status) => {
  const settings = readSettings(program.declarations, { LOG_LEVEL: 'silent' });
  const { tables } = program;
  const module = program.module(settings);
  await expect(
    makeProgram({ name: 'api', tables, module, settings, errors: { body: OwnBody, status } }),
  ).rejects.toThrow(`sends ${Object.keys(status)[0]} as`);
});

it('errors in a form that would send more than it exposes end the start', async () => {
  const settings = readSettings(program.declarations, { LOG_LEVEL: 'silent' });
  await expect(
    makeProgram({
      name: 'api',
      tables: program.tables,
      module: program.module(settings),
      settings,
      errors: { body: OpenBody },
    }),
  ).rejects.toThrow(/OpenBody/);
});
