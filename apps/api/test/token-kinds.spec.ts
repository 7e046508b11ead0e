import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { insertEmailLinks, newEmail, type Reply } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

/** The places of tokens in mails, whose refusal says what to do. */
const ofMails = new Set(['reset', 'confirmation', 'undo']);

/** A user with a verified e-mail. */
interface Holder {
  readonly email: string;
  readonly id: number;
}

describe('a token of one kind', () => {
  const api = bootApi({ env: { EMAIL_VERIFICATION: 'on' } });
  const db = () => api.app().get(Database, { strict: false });

  /** Who has the tokens. */
  let holder: Holder;

  /** Where each kind is accepted. */
  const places: Readonly<Record<string, (token: string) => Promise<Reply>>> = {
    access: (token) => api().as(token).get('/users/me'),
    'API key': (token) => api().with({ 'x-api-key': token }).get('/auth/api-keys/current'),
    refresh: (token) => api().post('/auth/refresh', { refresh_token: token }),
    reset: (token) => api().post('/auth/password-resets/complete', { token, password }),
    confirmation: async (token) =>
      (await api().signIn(holder.email, password)).post('/auth/email-verifications/complete', { token }),
    undo: (token) => api().post('/auth/email-changes/undo', { token, password }),
  };
  /** Makes a token of each kind. */
  const kinds: Readonly<Record<string, (holder: Holder) => Promise<string>>> = {
    access: async ({ email }) => (await open(email)).access_token,
    'API key': async ({ email }) => {
      const client = await api().signIn(email, password);
      return (await client.post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    },
    refresh: async ({ email }) => (await open(email)).refresh_token,
    reset: async ({ email }) => {
      await api().post('/auth/password-resets', { username: email });
      const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 10, offset: 0 });
      const link = mails.find(({ kind, recipient }) => kind === 'password-reset' && recipient === email)?.text
        ?.link;
      return link?.split('#token=')[1] ?? '';
    },
    confirmation: async ({ id }) => (await insertEmailLinks(db(), id)).confirm,
    undo: async ({ id }) => (await insertEmailLinks(db(), id)).undo,
  };

  async function open(username: string) {
    return (await api().post('/auth/sessions', { username, password })).json;
  }

  async function signUp(): Promise<Holder> {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    holder = { email, id };
    await places.confirmation((await insertEmailLinks(db(), id)).confirm);
    return holder;
  }

  it('has a place of its own', () => {
    expect(Object.keys(kinds)).toEqual(Object.keys(places));
  });

  it.each(Object.keys(kinds))(
    'is refused in every place of another, and works in its own: %s',
    async (kind) => {
      const token = await kinds[kind](await signUp());
      for (const [place, use] of Object.entries(places)) {
        if (place === kind) continue;
        const { status } = await use(token);
        expect([place, status]).toEqual([place, ofMails.has(place) ? 400 : 401]);
      }
      expect((await places[kind](token)).status).toBeLessThan(300);
    },
  );
});
