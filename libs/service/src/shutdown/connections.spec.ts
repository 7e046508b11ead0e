import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Connections } from './connections';

const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server whose requests are answered by the test. */
async function waitingServer(): Promise<{
  server: Server;
  connections: Connections;
  open: () => Promise<Socket>;
}> {
  const server = createServer({ keepAliveTimeout: 60_000 });
  const connections = new Connections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server);
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    return socket;
  };
  return { server, connections, open };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

async function nextRequest(server: Server): Promise<ServerResponse> {
  const [, response]: ServerResponse[] = await once(server, 'request');
  return response;
}

describe('connections during graceful shutdown', () => {
  it('get the pending response with Connection: close', async () => {
    const { server, connections, open } = await waitingServer();
    const socket = await open();
    socket.write(ask);
    const response = await nextRequest(server);
    const closed = once(server, 'close');
    const stopSweeping = await connections.drain();
    server.close();
    response.end('late but whole');
    const answer = await text(socket);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('late but whole');
    await closed;
    stopSweeping();
  });

  it('are closed when they are idle, or never sent a request', async () => {
    const { server, connections, open } = await waitingServer();
    const [idle, silent] = [await open(), await open()];
    idle.write(ask);
    (await nextRequest(server)).end('first');
    await once(idle, 'data');
    const ends = [once(idle, 'close'), once(silent, 'close'), once(server, 'close')];
    const stopSweeping = await connections.drain({ silentChecks: 1 });
    server.close();
    idle.resume();
    silent.resume();
    await Promise.all(ends);
    expect([idle.destroyed, silent.destroyed]).toEqual([true, true]);
    stopSweeping();
  });

  it('get the response to a first request that follows a moment after they were opened', async () => {
    const { server, connections, open } = await waitingServer();
    const socket = await open();
    const drained = connections.drain();
    while (server.listening) await setImmediate();
    socket.write(ask);
    (await nextRequest(server)).end('first and last');
    expect(await text(socket)).toMatch(/Connection: close[^]*first and last/);
    (await drained)();
  });

  it('get their response if they waited in the kernel', async () => {
    const { server, connections } = await waitingServer();
    server.on('request', (_request, response: ServerResponse) => response.end('answered'));
    const sockets = Array.from({ length: 50 }, () => connect(addressOf(server).port, '127.0.0.1'));
    const answers = sockets.map((socket) => text(socket).catch(String));
    for (const socket of sockets) socket.write(ask);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const stopSweeping = await connections.drain();
    server.close();
    expect((await Promise.all(answers)).filter((answer) => !answer.includes('answered'))).toEqual([]);
    stopSweeping();
  });

  it('are destroyed when a request is still incomplete after the grace period', async () => {
    const { server, connections, open } = await waitingServer();
    const [halfHead, halfBody] = [await open(), await open()];
    const request = nextRequest(server);
    halfHead.write('GET / HTTP/1.1\r\nHost:');
    halfBody.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    await request;
    const ends = [halfHead, halfBody].map((socket) =>
      once(
        socket.on('error', () => undefined),
        'close',
      ),
    );
    const closed = once(server, 'close');
    const stopSweeping = await connections.drain({ incompleteMs: 0 });
    server.close();
    await Promise.all([...ends, closed]);
    expect([halfHead.destroyed, halfBody.destroyed]).toEqual([true, true]);
    stopSweeping();
  });

  it('are reported once each if their upload is cut', async () => {
    const { server, connections, open } = await waitingServer();
    const [uploading, idle] = [await open(), await open()];
    const cut: (string | undefined)[] = [];
    const request = nextRequest(server);
    uploading.write('PUT /picture HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    await request;
    const closed = Promise.all([uploading, idle].map((socket) => once(socket, 'close')));
    const onCut = ({ req }: ServerResponse) => cut.push(req.url);
    const stopSweeping = await connections.drain({ incompleteMs: 0, silentChecks: 0, onCut });
    await closed;
    server.close();
    stopSweeping();
    expect(cut).toEqual(['/picture']);
  });

  it('stay open for a request that follows the announcement, whose response is the last', async () => {
    const { server, connections, open } = await waitingServer();
    const socket = await open();
    socket.write(ask);
    const first = await nextRequest(server);
    connections.announceClose();
    socket.write(ask);
    const second = await nextRequest(server);
    first.end('first');
    second.end('second');
    expect(await text(socket)).toMatch(/^(?!.*Connection: close)[^]*first[^]*Connection: close[^]*second/);
    server.close();
  });

  it('get every response to pipelined requests', async () => {
    const { server, connections, open } = await waitingServer();
    const socket = await open();
    const responses: ServerResponse[] = [];
    const both = new Promise<void>((resolve) => {
      server.on('request', (_request, response) => {
        if (responses.push(response) === 2) resolve();
      });
    });
    socket.write(ask + ask);
    await both;
    const closed = once(server, 'close');
    const stopSweeping = await connections.drain();
    server.close();
    responses.forEach((response, index) => response.end(`answer ${index}`));
    expect(await text(socket)).toMatch(/answer 0[^]*answer 1/);
    await closed;
    stopSweeping();
  });
});

describe('requests in flight', () => {
  it('are those whose body has arrived', async () => {
    const { server, connections, open } = await waitingServer();
    const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n';
    const slow = [await open(), await open(), await open()];
    const arrived = new Promise<ServerResponse[]>((resolve) => {
      const responses: ServerResponse[] = [];
      server.on('request', (_request, response) => {
        if (responses.push(response) === slow.length) resolve(responses);
      });
    });
    for (const socket of slow) socket.write(post);
    const responses = await arrived;
    expect(connections.inFlight).toBe(0);
    const [first] = responses;
    const ended = once(first.req.resume(), 'end');
    for (const socket of slow) socket.write('a=1');
    await ended;
    expect(connections.inFlight).toBe(1);
    const closed = once(first, 'close');
    first.end();
    await closed;
    expect(connections.inFlight).toBe(0);
    for (const socket of slow) socket.destroy();
    server.close();
  });

  it('are counted without a body at once', async () => {
    const { server, connections, open } = await waitingServer();
    const socket = await open();
    socket.write(ask);
    const response = await nextRequest(server);
    expect(connections.inFlight).toBe(1);
    const closed = once(response, 'close');
    response.end();
    await closed;
    expect(connections.inFlight).toBe(0);
    socket.destroy();
    server.close();
  });
});
