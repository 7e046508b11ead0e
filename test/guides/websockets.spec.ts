import { once } from 'node:events';
import { WebSocket } from 'ws';
import { ChatGateway, sockets, StaffGateway, socketTokens } from '../../docs/guides/websockets.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/websockets.md', () => {
  const program = bootGuide({
    providers: [ChatGateway, StaffGateway],
    plugins: [sockets, socketTokens],
  });
  const urlOf = (path: string) => program().url.replace('http', 'ws') + path;
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  /** Opens a connection; the status of the response if it is refused. */
  async function open(client: WebSocket): Promise<number | WebSocket> {
    const refused = once(client, 'unexpected-response').then(([, { statusCode }]) => statusCode);
    return Promise.race([once(client, 'open').then(() => client), refused]);
  }

  async function connected(client: WebSocket): Promise<WebSocket> {
    const opened = await open(client);
    if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
    return opened;
  }

  async function say(client: WebSocket, data: unknown): Promise<unknown> {
    client.send(JSON.stringify({ event: 'say', data }));
    const [text] = await once(client, 'message');
    return JSON.parse(String(text));
  }

  it('connects callers, and refuses others', async () => {
    const client = await connected(new WebSocket(urlOf('/chat'), bearer(await program.tokenOf({}))));
    expect(await say(client, { text: 'hello' })).toEqual({
      event: 'said',
      data: { by: program.administratorEmail, text: 'hello' },
    });
    client.close();
    expect(await open(new WebSocket(urlOf('/chat')))).toBe(401);
    const expired = await program.tokenOf({ issuedSecondsAgo: 100 });
    expect(await open(new WebSocket(urlOf('/chat'), bearer(expired)))).toBe(401);
  });

  it('accepts the token of a browser as a protocol', async () => {
    const client = await connected(new WebSocket(urlOf('/chat'), ['bearer', await program.tokenOf({})]));
    expect(await say(client, { text: 'hello' })).toMatchObject({ data: { text: 'hello' } });
    client.close();
    expect(await open(new WebSocket(urlOf('/chat'), ['bearer', 'abc']))).toBe(401);
  });

  it.each([
    [{ text: 7 }, 'text must be a string'],
    [{ text: 'x'.repeat(201) }, 'text must be shorter than or equal to 200 characters'],
    [{ text: 'hello', role: 'admin' }, 'property role should not exist'],
  ])('refuses a message that violates the rules of its class: %j', async (data, problem) => {
    const client = await connected(new WebSocket(urlOf('/chat'), bearer(await program.tokenOf({}))));
    expect(await say(client, data)).toEqual({
      event: 'exception',
      data: { message: expect.arrayContaining([problem]) },
    });
    client.close();
  });

  it('has the roles that the plan names', async () => {
    const administrator = await program.tokenOf({});
    const client = new WebSocket(urlOf('/staff'), bearer(administrator));
    const [text] = await once(client, 'message');
    expect(JSON.parse(String(text))).toEqual({ event: 'welcome' });
    client.close();
    const { userId: sub, username } = (await (await program.newcomer()).get('/auth/profile')).json;
    const user = bearer(await program.tokenOf({ sub, username }));
    expect(await open(new WebSocket(urlOf('/staff'), user))).toBe(403);
    const events = [];
    for (const as of [bearer(administrator), user]) {
      const chat = await connected(new WebSocket(urlOf('/chat'), as));
      chat.send(JSON.stringify({ event: 'clear' }));
      const [reply] = await once(chat, 'message');
      events.push(JSON.parse(String(reply)).event);
      chat.close();
    }
    expect(events).toEqual(['cleared', 'exception']);
  });
});
