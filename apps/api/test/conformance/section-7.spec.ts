import { invalidInput } from '@app/contract';
import { ValidationPipe, type ValidationPipeOptions } from '@app/engine';
import { IsBoolean, IsInt, IsString, MinLength } from 'class-validator';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

const unauthorized = '{"statusCode":401,"message":"Unauthorized"}';
const password = 'correct horse battery staple';

class Form {
  @IsString() @MinLength(2) name!: string;
  shout(): string {
    return this.name.toUpperCase();
  }
}

class Flags {
  @IsInt() count!: number;
  @IsBoolean() ready!: boolean;
}

section(7, (states) => {
  const api = bootApi();
  const withDetails = bootApi({ env: { ERROR_SHAPE: 'details' } });
  const silent = bootApi({ env: { ERROR_MESSAGES: 'off' } });

  const refusal = async (body: object) => (await api().post('/users', body)).json;
  const piped = (options: ValidationPipeOptions, value: object, metatype: unknown = Form) =>
    new ValidationPipe({ exceptionFactory: invalidInput, ...options }).transform(value, {
      type: 'body',
      metatype: metatype as typeof Form,
    });
  const form = (name: string) => `§7 Validation failure${name}`;

  states(form(': statusCode'), async () => {
    const reply = await api().post('/users', {});
    expect([reply.status, reply.json.statusCode]).toEqual([400, 400]);
  });
  states(form(': message'), async () => {
    expect((await refusal({ email: 'x', password: 'y' })).message).toEqual([
      'email must be an email',
      'password must be longer than or equal to 8 characters',
    ]);
  });
  states(form(': error'), async () => {
    expect(await refusal({})).toEqual({ statusCode: 400, message: expect.any(Array), error: 'Bad Request' });
  });
  states(form(': e-mail rule violated'), async () => {
    expect((await refusal({ password })).message).toEqual(['email must be an email']);
  });
  states(form(': minimum length violated'), async () => {
    expect((await refusal({ email: newEmail(), password: 'x' })).message).toEqual([
      'password must be longer than or equal to 8 characters',
    ]);
  });
  states(form(': string rule violated'), async () => {
    const { json } = await api().post('/auth/login', { username: 1, password });
    expect(json.message).toEqual(['username must be a string']);
  });
  states(form(': unknown field with rejection on'), async () => {
    expect((await refusal({ email: newEmail(), password, admin: true })).message).toEqual([
      'property admin should not exist',
    ]);
  });
  states(form('.1'), async () => {
    expect(await piped({ whitelist: true, transform: true }, { name: 'Ada', admin: true })).toEqual({
      name: 'Ada',
    });
  });
  states(form('.2'), async () => {
    const both = { whitelist: true, forbidNonWhitelisted: true };
    await expect(piped(both, { name: 'Ada', admin: true })).rejects.toMatchObject({
      reply: { status: 400, message: ['property admin should not exist'] },
    });
  });
  states(form('.3'), async () => {
    expect(await piped({ transform: true }, { name: 'Ada', admin: true })).toEqual({
      name: 'Ada',
      admin: true,
    });
  });
  states(form('.4'), async () => {
    const instance = (await piped({ transform: true }, { name: 'Ada' })) as Form;
    expect(instance.shout()).toBe('ADA');
    expect(await piped({}, { name: 'Ada' })).not.toHaveProperty('shout');
  });
  states(form('.5'), async () => {
    const implicit = { transform: true, transformOptions: { enableImplicitConversion: true } };
    expect(await piped(implicit, { count: '7', ready: 'anything' }, Flags)).toEqual({
      count: 7,
      ready: true,
    });
    await expect(piped({ transform: true }, { count: '7', ready: 'anything' }, Flags)).rejects.toMatchObject({
      reply: { status: 400 },
    });
  });
  states(form('.6'), async () => {
    for (const metatype of [Object, String, Array, Date]) {
      expect(await piped({ whitelist: true }, { anything: 1 }, metatype)).toEqual({ anything: 1 });
    }
  });
  states(form(': Custom error shape (optional configuration): status …'), async () => {
    const { status, text } = await withDetails().post('/users', { email: 'x', password: 'y' });
    expect(status).toBe(400);
    expect(text).toBe(
      JSON.stringify({
        statusCode: 400,
        error: 'Bad Request',
        details: [
          { field: 'email', messages: ['email must be an email'] },
          { field: 'password', messages: ['password must be longer than or equal to 8 characters'] },
        ],
      }),
    );
    const hushed = await silent().post('/users', { email: 'x', password: 'y' });
    expect(hushed.status).toBe(400);
    expect(hushed.text).not.toMatch(/email|password/);
  });

  const cause = (name: string) => `§7 Authentication failure: ${name}`;
  const refused = async (headers: Record<string, string>) =>
    (await api().with(headers).get('/auth/profile')).text;

  states(cause('Body: `{statusCode: 401, message: Unauthorized}`. …'), async () => {
    const { status, text, headers } = await api().get('/auth/profile');
    expect([status, text, headers.get('www-authenticate')]).toEqual([401, unauthorized, 'Bearer']);
  });
  states(cause('missing token'), async () => {
    expect(await refused({})).toBe(unauthorized);
    expect(await refused({ authorization: 'Bearer' })).toBe(unauthorized);
  });
  states(cause('malformed token (for instance no Bearer prefix)'), async () => {
    const token = await api.tokenOf({});
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer ${token}x`,
      'Bearer a.b.c',
      `Bearer  ${token} x`,
    ]) {
      expect([authorization, await refused({ authorization })]).toEqual([authorization, unauthorized]);
    }
  });
  states(cause('signature mismatch'), async () => {
    const [header, payload, signature] = (await api.tokenOf({})).split('.');
    const wrongSignature = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
    expect(await refused({ authorization: `Bearer ${header}.${payload}.${wrongSignature}` })).toBe(
      unauthorized,
    );
  });
  states(cause('expired token'), async () => {
    const token = await api.tokenOf({ issuedSecondsAgo: 61 });
    expect(await refused({ authorization: `Bearer ${token}` })).toBe(unauthorized);
  });
  states(cause('wrong login credentials'), async () => {
    const { status, text } = await api().post('/auth/login', { username: api.administratorEmail, password });
    expect([status, text]).toEqual([401, unauthorized]);
  });
  states(cause('application check rejects the user'), async () => {
    const token = await api.tokenOf({ sub: 999_999_999 });
    expect(await refused({ authorization: `Bearer ${token}` })).toBe(unauthorized);
  });
  states(cause('global guard active and the route is not marked public'), async () => {
    expect((await api().get('/users/me')).text).toBe(unauthorized);
    expect((await api().post('/orders', { items: [] })).text).toBe(unauthorized);
  });
});
