import { NamedUserCreate } from '@app/accounts';
import { authSettings } from '@app/auth';
import { serviceSettings } from '@app/service';
import { newEmail } from '@app/service/testing';
import { validate } from 'class-validator';
import { bootApi } from '../../testing/boot-api';
import { section } from './section';

section(8, (states) => {
  const api = bootApi();

  states('§8: limit', async () => {
    const client = await api.newcomer();
    const statusOf = async (limit: string) => (await client.get(`/items?limit=${limit}`)).status;
    expect(await Promise.all(['0', '1', '100', '101', '1.5'].map(statusOf))).toEqual([
      400, 200, 200, 400, 400,
    ]);
  });
  states('§8: password minimum length', async () => {
    const statusOf = async (password: string) =>
      (await api().post('/users', { email: newEmail(), password })).status;
    expect(await statusOf('1234567')).toBe(400);
    expect(await statusOf('12345678')).toBe(201);
  });
  states('§8: firstName, lastName minimum length', async () => {
    const named = (firstName: string, lastName: string) =>
      Object.assign(new NamedUserCreate(), { email: newEmail(), password: '12345678', firstName, lastName });
    expect(await validate(named('Al', 'Bo'))).toEqual([]);
    expect((await validate(named('A', 'B'))).map(({ property }) => property)).toEqual([
      'firstName',
      'lastName',
    ]);
  });
  states('§8: quantity minimum length', async () => {
    const client = await api.newcomer();
    const statusOf = async (quantity: string) =>
      (await client.post('/orders', { items: [{ sku: 'tea', quantity }] })).status;
    expect([await statusOf(''), await statusOf('1')]).toEqual([400, 201]);
  });
  states('§8: token lifetime', () => {
    expect(authSettings.ACCESS_TOKEN_TTL.parse(undefined)).toBe(60);
  });
  states('§8: default port', () => {
    expect(serviceSettings.PORT.parse(undefined)).toBe(3000);
  });
});
