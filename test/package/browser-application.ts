/** The files of a browser application that uses the client package. Vite builds the application. */
export const browserApplication: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>An application with the client</title>
  </head>
  <body>
    <script type="module" src="./main.ts"></script>
  </body>
</html>
`,
  'main.ts': `import { createClient, webStorage } from '@sluice/client';

const baseUrl = new URLSearchParams(location.search).get('api') ?? '';
const client = createClient({ baseUrl, storage: webStorage(localStorage) });

/** The functions that a test calls in the page. */
const application = {
  async signUp(email: string, password: string) {
    const { data } = await client.POST('/users', { body: { email, password } });
    await client.session.signIn(email, password);
    return data;
  },
  async me() {
    const { data, response } = await client.GET('/users/me');
    return data?.email ?? response.status;
  },
  async upload(bytes: number[]) {
    const picture = new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' });
    const { data, response } = await client.PUT('/users/me/picture', { body: { picture } });
    return data?.bytes ?? response.status;
  },
  async publish(slugs: readonly string[]) {
    for (const slug of slugs) await client.POST('/posts', { body: { slug } });
    const read: string[] = [];
    for await (const post of client.items('/posts', { limit: 2 })) read.push(post.slug);
    return read;
  },
  signOut: () => client.session.signOut(),
};

Object.assign(globalThis, { application });
`,
};
