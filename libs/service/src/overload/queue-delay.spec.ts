import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterQueuedReads } from './queue-delay';

const reached = () => new Promise<void>((resolve) => afterQueuedReads(resolve));

describe('a callback after queued reads', () => {
  it('runs after everything that was ready to be read before it', async () => {
    let read = 0;
    let connected = 0;
    const server = createServer((socket) => {
      connected++;
      socket.on('data', () => read++).on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    while (connected < clients.length) await setImmediate();
    // A connection joins the queue one loop iteration after it was accepted.
    await setImmediate();
    for (const client of clients) client.write('something');
    await reached();
    expect(read).toBe(100);
    for (const client of clients) client.destroy();
    server.close();
  });

  it('runs in the order of the calls', async () => {
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((position) => reached().then(() => order.push(position))));
    expect(order).toEqual([1, 2, 3]);
  });
});
