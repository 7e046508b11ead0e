import { nameOf } from '../openapi/openapi.mts';
import { openRaw, statusIn } from '../wire/raw.mts';
import { headersFor } from '../target/requests.mts';
import { check, type Check, type Target } from '../target/target.mts';

const waitMs = 5000;
const handshake =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const h2c =
  'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n';

/** Targets that some parser reads as the path. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `//x${path}`,
  (path) => `//${path}`,
  (path) => `/%2e${path}`,
  (path) => `/x/%2E%2e${path}`,
  (path) => `/\\x${path}`,
  (path) => `${path}/.`,
  (path) => `${path}#x`,
  (path) => `http://x${path}`,
  (path) => `ws://x${path}`,
  (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
];

/** Checks that a WebSocket opens only at its authorized path, and that other protocols do not change the served caller. */
const websockets = check('connections', 'upgraded connections', async (target, findings) => {
  const { gateways, operations, callers, wire } = target;
  if (gateways.length === 0) findings.note('a gateway is tried if --gateway names its path');
  const open = operations.find(({ method, path }) => method === 'GET' && path !== '/' && !path.includes('{'));
  const user = `authorization: ${(await callers.user.headers()).authorization}\r\n`;
  for (const path of [...gateways, ...(open ? [open.path] : [])]) {
    const own = gateways.includes(path) ? [wire.at(path)] : [];
    for (const spelled of [...own, ...spellings.map((spell) => spell(wire.at(path)))])
      for (const fields of spelled === wire.at(path) ? [''] : ['', user]) {
        const status = await statusOf(target, spelled, handshake + fields);
        const by = fields === '' ? 'without a token' : 'by an account without a role';
        findings.expect(status !== 101, `a WebSocket is opened with the target ${spelled} ${by}`);
      }
  }
  if (!open) return;
  const authorization = (await headersFor(open, target))?.authorization;
  const fields = authorization ? `authorization: ${authorization}\r\n` : '';
  const usual = await statusOf(target, wire.at(open.path), `connection: close\r\n${fields}`);
  const offered = await statusOf(target, wire.at(open.path), h2c + fields);
  findings.expect(offered === usual, `${nameOf(open)} is ${usual}, and ${offered} if it offers h2c`);
});

async function statusOf({ wire }: Target, path: string, fields: string): Promise<number> {
  const connection = openRaw(wire.url);
  connection.socket.write(`GET ${path} HTTP/1.1\r\nhost: ${wire.url.host}\r\n${fields}\r\n`);
  const text = await connection.until(/^HTTP\/1\.1 [^]*\r\n\r\n/, waitMs);
  connection.close();
  return statusIn(text);
}

export const upgrades: readonly Check[] = [websockets];
