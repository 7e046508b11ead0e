import { Outbox } from '@app/mail';
import { newEmail, type Reply } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [common, phrase, another] = ['Football1', 'correct horse battery staple', 'another phrase'];

describe('a common password, with PASSWORD_LIST=common', () => {
  const api = bootApi({ env: { PASSWORD_LIST: 'common' } });
  const rejected = {
    statusCode: 400,
    message: 'this password is one of the most common ones: choose another',
    error: 'Bad Request',
  };
  const signIn = (username: string, password: string): Promise<Reply> =>
    api().post('/auth/login', { username, password });

  it('is rejected at sign-up, whether or not the e-mail is taken', async () => {
    const email = newEmail();
    expect((await api().post('/users', { email, password: common })).json).toEqual(rejected);
    expect((await api().post('/users', { email, password: phrase })).status).toBe(201);
    expect((await api().post('/users', { email, password: common })).json).toEqual(rejected);
    expect((await signIn(email, common)).status).toBe(401);
  });

  it('is rejected by a change, which changes nothing', async () => {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password: phrase });
    const user = await api().signIn(email, phrase);
    const change = { email: newEmail(), password: common };
    expect((await user.patch(headers.get('location') ?? '', change)).json).toEqual(rejected);
    expect((await signIn(email, phrase)).status).toBe(200);
  });

  it('is rejected by a reset, whose link works for another one', async () => {
    const email = newEmail();
    await api().post('/users', { email, password: phrase });
    await api().post('/auth/password-resets', { username: email });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const token = mail?.text?.link?.split('#token=')[1] ?? '';
    const complete = (password: string) => api().post('/auth/password-resets/complete', { token, password });
    expect((await complete(common)).json).toEqual(rejected);
    expect((await complete(another)).status).toBe(204);
    expect((await signIn(email, another)).status).toBe(200);
  });
});
