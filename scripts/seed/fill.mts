import type { ApiClient } from '@app/client';
import { seedAdministrator, seedItems, seedUsers } from './sample.mts';

/** The credentials of the account that signs in. */
interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Adds the sample through the routes of a running `api`, so that the sample obeys every rule.
 *
 * @returns a summary, line by line
 * @throws Error if there are items already, or if a request is refused
 */
export async function fill(baseUrl: string): Promise<readonly string[]> {
  const administrator = await signIn(baseUrl, seedAdministrator);
  const { data: page } = await accepted(administrator.GET('/items'));
  if (page === undefined || page.items.length > 0)
    throw new Error('the database has items already: nothing was added');
  for (const item of seedItems) await accepted(administrator.POST('/items', { body: item }));
  for (const user of seedUsers) await addUser(baseUrl, user);
  return [
    `added ${seedItems.length} items and ${seedUsers.length} users with their posts and orders`,
    ...[seedAdministrator, ...seedUsers].map(({ email, password }) => `sign in as ${email}: ${password}`),
  ];
}

async function addUser(
  baseUrl: string,
  { posts, orders, ...credentials }: (typeof seedUsers)[number],
): Promise<void> {
  const { createClient } = await import('@app/client');
  await accepted(createClient({ baseUrl }).POST('/users', { body: credentials }));
  const user = await signIn(baseUrl, credentials);
  for (const slug of posts) await accepted(user.POST('/posts', { body: { slug } }));
  for (const order of orders) {
    const items = Object.entries(order).map(([sku, quantity]) => ({ sku, quantity }));
    await accepted(user.POST('/orders', { body: { items } }));
  }
}

async function signIn(baseUrl: string, { email, password }: Credentials): Promise<ApiClient> {
  const { createClient } = await import('@app/client');
  const client = createClient({ baseUrl });
  await client.session.signIn(email, password);
  return client;
}

async function accepted<Answer extends { readonly response: Response }>(
  request: Promise<Answer>,
): Promise<Answer> {
  const answer = await request;
  const { ok, status, url } = answer.response;
  if (!ok) throw new Error(`${url} was refused: ${status}`);
  return answer;
}
