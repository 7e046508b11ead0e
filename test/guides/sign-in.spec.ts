import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IdentityProvider } from '@app/accounts/testing';
import { createClient } from '@app/client';
import { oidc } from '@app/oidc';
import { newEmail } from '@app/service/testing';
import { comeBack, enterPage, leave } from '../../docs/guides/sign-in.md';
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

  it('keeps a session in a cookie: by its commands, and by the client', async () => {
    const [email, password] = [newEmail(), 'correct horse battery staple'];
    await program().post('/users', { email, password });
    const page = await readFile(join(__dirname, '../../docs/guides/sign-in.md'), 'utf8');
    const [, commands = ''] = /^```sh\n(curl[^]*?)^```$/m.exec(page) ?? [];
    const script = commands
      .replaceAll('http://localhost:3000', program().url)
      .replace('ada@example.com', email);
    const cwd = await mkdtemp(join(tmpdir(), 'sluice-cookie-'));
    try {
      const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd });
      expect(stdout).toMatch(/^({"access_token":"[^"]+","expires_in":60}\s*){2}$/);
      expect(await readFile(join(cwd, 'jar'), 'utf8')).toMatch(/^#HttpOnly_127\.0\.0\.1\t.*\tsession\t/m);
    } finally {
      await rm(cwd, { recursive: true });
    }
    const { url } = program();
    const pageFetch = globalThis.fetch;
    vi.stubGlobal('fetch', (request: Request) => {
      const headers = { ...Object.fromEntries(request.headers), origin: url };
      return pageFetch(new Request(request, { headers }));
    });
    try {
      const { data } = await (await enterPage(url, email, password)).GET('/users/me');
      expect(data?.email).toBe(email);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
