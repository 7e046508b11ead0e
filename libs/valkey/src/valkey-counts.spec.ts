import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createClient } from '@redis/client';
import { freePort } from '@app/persistence/testing';
import { limitsTogether, limitsWith } from '@app/service/testing';
import { ValkeyServer, valkeyProgram } from '../testing/valkey-server';
import { ValkeyCounts } from './valkey-counts';

const endsAt = new Date(Date.now() + 3_600_000);
const rate = { limit: 10, windowSeconds: 3600 };
const pendingCount = { subject: 'default 7', count: 3, endsAt };

/** Counts, and what was noted of their server: `up`, or the error. */
function countsAt(url: string, timeoutMs?: number) {
  const noted: string[] = [];
  const counts = new ValkeyCounts(url, (error) => noted.push(error?.message ?? 'up'), timeoutMs);
  onTestFinished(() => counts.close());
  return { counts, noted };
}

/** Returns the server's reply to a command on a separate connection. */
async function command(port: number, ...words: string[]): Promise<unknown> {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  await client.connect();
  try {
    return await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}

function fail(error: unknown): never {
  throw error;
}

async function answering(reply: string | undefined): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const _ of String(data).matchAll(/^\*/gm)) if (reply !== undefined) socket.write(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, url: `valkey://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

describe.runIf(valkeyProgram)(
  `counts on a server${valkeyProgram ? '' : ' (needs redis-server in the path)'}`,
  () => {
    let server: ValkeyServer;
    let url: string;
    beforeAll(async () => {
      server = await ValkeyServer.start();
      url = `valkey://127.0.0.1:${server.port}`;
    });
    afterAll(() => server.stop());
    beforeEach(() => command(server.port, 'FLUSHALL'));

    it('are added to those of other programs, of the same window and database', async () => {
      const [first, second, third] = [
        countsAt(url),
        countsAt(`${url}/0`),
        countsAt(`redis${url.slice(6)}/1`),
      ];
      const later = { ...pendingCount, endsAt: new Date(endsAt.getTime() + 1) };
      expect(await first.counts.add([pendingCount])).toEqual(new Map([['default 7', 3]]));
      expect(await second.counts.add([pendingCount, { ...pendingCount, subject: 'default 8' }])).toEqual(
        new Map([
          ['default 7', 6],
          ['default 8', 3],
        ]),
      );
      expect(await first.counts.add([later])).toEqual(new Map([['default 7', 3]]));
      expect(await third.counts.add([pendingCount])).toEqual(new Map([['default 7', 3]]));
      expect([first.noted, second.noted]).toEqual([['up'], ['up']]);
    });

    it('are more than fit one transaction', async () => {
      const { counts } = countsAt(url);
      const many = Array.from({ length: 1201 }, (_, caller) => ({
        ...pendingCount,
        subject: `default ${caller}`,
      }));
      expect((await counts.add(many)).size).toBe(1201);
    });

    it('expire a minute after their window, by whichever clock', async () => {
      const { counts } = countsAt(url);
      const past = new Date(Date.now() - 7_200_000);
      await counts.add([pendingCount, { ...pendingCount, endsAt: past }]);
      const keys = [endsAt, past].map((at) => `sluice:rate:${at.getTime()}:default 7`);
      expect(await command(server.port, 'KEYS', '*')).toEqual(expect.arrayContaining(keys));
      const [ofWindow, ofPast] = await Promise.all(keys.map((key) => command(server.port, 'PTTL', key)));
      expect(ofWindow).toBeGreaterThan(3_500_000);
      expect(ofWindow).toBeLessThanOrEqual(3_660_000);
      expect(ofPast).toBeGreaterThan(0);
      expect(ofPast).toBeLessThanOrEqual(60_000);
    });

    it('are those that were added, although a key has another type', async () => {
      const { counts, noted } = countsAt(url);
      await command(server.port, 'LPUSH', `sluice:rate:${endsAt.getTime()}:default 7`, 'of another program');
      const totals = await counts.add([pendingCount, { ...pendingCount, subject: 'default 8' }]);
      expect(totals).toEqual(new Map([['default 8', 3]]));
      expect(noted).toEqual([expect.stringMatching(/^WRONGTYPE/)]);
    });

    it('are refused by a replica, and added once it is promoted', async () => {
      const { counts, noted } = countsAt(url);
      await command(server.port, 'REPLICAOF', '127.0.0.1', '1');
      expect((await counts.add([pendingCount])).size + (await counts.add([pendingCount])).size).toBe(0);
      for (const sent of [[], [pendingCount]]) expect((await counts.add(sent)).size).toBe(0);
      await command(server.port, 'REPLICAOF', 'NO', 'ONE');
      expect(await counts.add([pendingCount])).toEqual(new Map([['default 7', 3]]));
      expect(noted).toEqual([expect.stringMatching(/^READONLY/), 'up']);
    });

    it('go on after a restart of the server', async () => {
      const { counts, noted } = countsAt(url);
      await counts.add([pendingCount]);
      await server.stop();
      expect((await counts.add([pendingCount])).size + (await counts.add([pendingCount])).size).toBe(0);
      await server.start();
      expect(await counts.add([pendingCount])).toEqual(new Map([['default 7', 3]]));
      expect(noted).toEqual(['up', expect.any(String), 'up']);
    });

    it('are sent for the last time when a program stops, which disconnects', async () => {
      const { counts } = countsAt(url);
      const limits = limitsWith(counts);
      limits.windowOf('default', rate).take('account:7');
      await limits.onModuleDestroy();
      const [key] = [await command(server.port, 'KEYS', '*')].flat();
      expect(await command(server.port, 'GET', String(key))).toBe('1');
      await expect.poll(() => command(server.port, 'CLIENT', 'LIST')).toMatch(/^.*\n$/);
    });

    it('need the right password, which no error has', async () => {
      const locked = await ValkeyServer.start('--requirepass', 'right-password');
      onTestFinished(() => locked.stop());
      const at = (password: string) => countsAt(`valkey://:${password}@127.0.0.1:${locked.port}`);
      const [wrong, right] = [at('wrong-password'), at('right%2Dpassword')];
      expect((await wrong.counts.add([])).size).toBe(0);
      expect(wrong.noted).toEqual([expect.stringMatching(/^WRONGPASS/)]);
      expect(wrong.noted.join()).not.toContain('wrong-password');
      expect((await right.counts.add([pendingCount])).size).toBe(1);
    });

    it('need a certificate that is trusted', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-valkey-'));
      const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
      const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
      execFileSync('openssl', ['req', ...form, '-subj', '/CN=localhost', ...files], { stdio: 'ignore' });
      const tlsPort = await freePort();
      const options = ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no'];
      const certificate = [
        '--tls-cert-file',
        join(folder, 'tls.crt'),
        '--tls-key-file',
        join(folder, 'tls.key'),
      ];
      const secured = await ValkeyServer.start(...options, ...certificate);
      const trusted = getCACertificates();
      onTestFinished(async () => {
        setDefaultCACertificates(trusted);
        await secured.stop();
        rmSync(folder, { recursive: true });
      });
      const { counts, noted } = countsAt(`valkeys://localhost:${tlsPort}`);
      expect((await counts.add([pendingCount])).size).toBe(0);
      setDefaultCACertificates([readFileSync(join(folder, 'tls.crt'), 'utf8')]);
      expect((await counts.add([pendingCount])).size).toBe(1);
      expect(noted).toEqual([expect.stringContaining('self-signed'), 'up']);
    });

    it('that a program knows remain if the server loses them', async () => {
      const [first, second] = [limitsWith(countsAt(url).counts), limitsWith(countsAt(url).counts)];
      const [mine, theirs] = [first, second].map((limits) => limits.windowOf('default', rate));
      for (let count = 0; count < 4; count += 1) [mine, theirs].forEach((window) => window.take('account:7'));
      for (const limits of [first, second]) await limits.exchange();
      await command(server.port, 'FLUSHALL');
      expect(theirs.take('account:7')).toBe(1);
      await second.exchange();
      expect([theirs.take('account:7'), theirs.take('account:7')]).toEqual([0, -1]);
    });
  },
);

describe.runIf(valkeyProgram)(
  `programs that add up their counts on Valkey${valkeyProgram ? '' : ' (needs redis-server in the path)'}`,
  () => {
    let server: ValkeyServer;
    beforeAll(async () => (server = await ValkeyServer.start()));
    afterAll(() => server.stop());
    limitsTogether(() => {
      const url = `redis://127.0.0.1:${server.port}`;
      return new ValkeyCounts(url, (error) => error && fail(error));
    });
  },
);

describe('counts on a server that is not well', () => {
  it.each([
    ['does not respond', undefined, /no response within 50 ms/, 50],
    ['answers with errors', '-ERR unavailable\r\n', /ERR unavailable/, 10_000],
    ['is none of Valkey', 'HTTP/1.1 400 Bad Request\r\n\r\n', /./, 50],
  ])('are none if it %s, which is noted once', async (_, reply, message, timeoutMs) => {
    const { url } = await answering(reply);
    const { counts, noted } = countsAt(url.replace('127', ':secret@127'), timeoutMs);
    expect((await counts.add([pendingCount])).size).toBe(0);
    expect((await counts.add([pendingCount])).size).toBe(0);
    expect(noted).toEqual([expect.stringMatching(message)]);
    expect(noted.join()).not.toContain('secret');
  });

  it('are none if nothing listens', async () => {
    const { server, url } = await answering(undefined);
    server.close();
    await once(server, 'close');
    const { counts, noted } = countsAt(url);
    expect((await counts.add([pendingCount])).size).toBe(0);
    expect(noted).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });
});
