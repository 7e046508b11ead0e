import { ApiKeys } from '@app/accounts';
import { type Client, newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const password = 'correct horse battery staple';

describe('API keys of a user, for operators', () => {
  const admin = bootAdmin();
  let operator: Client;
  beforeAll(async () => {
    operator = await admin.administrator();
  });
  const keys = () => admin.app().get(ApiKeys, { strict: false });

  /** A user with two keys. */
  async function newUser() {
    const email = newEmail();
    const body = { email, password, firstName: 'Ada', lastName: 'Lovelace' };
    const { id } = (await operator.post('/users', body)).json;
    const created = [
      await keys().create({ userId: id }, { name: 'first' }),
      await keys().create({ userId: id }, { name: 'second' }),
    ];
    return { id, email, texts: created.map(({ key }) => key), keyIds: created.map(({ row }) => row.id) };
  }
  const work = (texts: readonly string[]) =>
    Promise.all(texts.map(async (key) => (await keys().callerOf(key)) !== undefined));

  it('are listed masked', async () => {
    const { id, keyIds, texts } = await newUser();
    const { json, text } = await operator.get(`/users/${id}/api-keys`);
    expect(json.items.map((key: { id: number }) => key.id)).toEqual(keyIds);
    expect(json.items[0]).toMatchObject({
      name: 'first',
      apiKey: `sl***${texts[0]?.slice(-2)}`,
      expiresAt: null,
    });
    for (const key of texts) expect(text).not.toContain(key);
  });

  it('end one by one', async () => {
    const { id, keyIds, texts } = await newUser();
    const stranger = await newUser();
    expect((await operator.delete(`/users/${id}/api-keys/${stranger.keyIds[0]}`)).status).toBe(404);
    expect((await operator.delete(`/users/${id}/api-keys/${keyIds[0]}`)).status).toBe(204);
    expect(await work(texts)).toEqual([false, true]);
    expect((await operator.delete(`/users/${id}/api-keys/${keyIds[0]}`)).status).toBe(404);
    const { items } = (await operator.get(`/audit?kind=api-key-revoked&accountId=${id}`)).json;
    expect(items).toMatchObject([{ actorId: expect.any(Number), detail: { keyId: keyIds[0] } }]);
  });

  it('end all at once', async () => {
    const [{ id, texts }, stranger] = [await newUser(), await newUser()];
    expect((await operator.delete(`/users/${id}/api-keys`)).status).toBe(204);
    expect([await work(texts), await work(stranger.texts)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect((await operator.get(`/users/${id}/api-keys`)).json.items).toEqual([]);
    expect((await operator.delete('/users/999999/api-keys')).status).toBe(404);
    const { items } = (await operator.get(`/audit?kind=api-key-revoked&accountId=${id}`)).json;
    expect(items).toMatchObject([{ detail: { all: true, keys: 2 } }]);
  });

  it('end for good with a disabled account', async () => {
    const { id, texts } = await newUser();
    for (const disabled of [true, false]) await operator.patch(`/users/${id}`, { disabled });
    expect(await work(texts)).toEqual([false, false]);
  });

  it('are for administrators only', async () => {
    const { id, email } = await newUser();
    const user = await admin().signIn(email, password);
    const answers = [
      await user.get(`/users/${id}/api-keys`),
      await user.delete(`/users/${id}/api-keys`),
      await user.delete(`/users/${id}/api-keys/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});
