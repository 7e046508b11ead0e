import { IdentityProvider } from '@app/accounts/testing';
import { createClient } from '@app/client';
import { oidc } from '@app/oidc';
import { comeBack, leave } from '../../docs/guides/sign-in.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/sign-in.md', () => {
  const env: Record<string, string> = {};
  let google: IdentityProvider;
  beforeAll(async () => {
    google = await IdentityProvider.start('google');
    Object.assign(env, google.env);
  });
  afterAll(() => google.stop());
  const program = bootGuide({ plugins: [oidc()], env });

  it.each([undefined, 'login'] as const)(
    'signs in through an identity provider (prompt: %s)',
    async (prompt) => {
      const client = createClient({ baseUrl: program().url });
      const items = new Map<string, string>();
      const storage = {
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, value: string) => void items.set(key, value),
      };
      const url = await leave(client, storage, prompt);
      const params = new URLSearchParams({ ...(await google.signIn(url, 'ada')) });
      await comeBack(client, storage, `http://localhost:3000/sign-in/google?${params.toString()}`);
      const { data } = await client.GET('/auth/factors');
      expect(data?.factors).toMatchObject([{ factor: 'identity-provider', name: 'google' }]);
    },
  );
});
