import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy in front of PostgreSQL, which rolls transactions back. */
export interface ConflictingProxy {
  /** The server URL with the host and port of the proxy. */
  readonly url: string;
  /** Counts the commits that were rolled back. */
  readonly conflicts: () => number;
  /**
   * Closes a connection at every nth completion of a command, such as `COMMIT`, before the completion is forwarded; 0 closes no
   * connection.
   */
  cutAfter(command: string, every: number): void;
  /**
   * Closes the connection of a later commit, once.
   *
   * @param when `before` the server has the command `commit`, or `after` it has completed a commit, or a write that is its own
   *   transaction
   * @param nth the number of the commit from now on
   * @returns a function that ends this, and returns whether a connection was closed
   */
  cutCommit(when: 'before' | 'after', nth?: number): () => boolean;
  stop(): Promise<void>;
}

/** The server message types, and the connection state without a transaction. */
const [READY, COMPLETE, IDLE] = Buffer.from('ZCI');

/** @param isIdle whether no transaction was begun before */
const isCommit = (tag: string, isIdle: boolean) =>
  tag.startsWith('COMMIT') || (isIdle && /^(INSERT|UPDATE|DELETE)/.test(tag));

/** Makes a protocol message from a type and a body. */
const message = (type: string, body: string) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

const commit = message('Q', 'commit\0');
const rollback = message('Q', 'rollback\0');
const conflict = message(
  'E',
  ['SERROR', 'VERROR', 'C40001', 'Mrestart transaction: the test wants it', ''].join('\0') + '\0',
);

/**
 * Rolls back every nth commit and responds with a serialization failure (40001). Everything else is forwarded until connections
 * are cut.
 *
 * @param target the server URL, as in a connection string
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export async function openConflictingProxy(target: URL, every: number): Promise<ConflictingProxy> {
  let [commits, conflicts] = [0, 0];
  const cut = { command: '', every: 0, completed: 0 };
  const isCut = (tag: string) =>
    cut.every > 0 && tag.startsWith(cut.command) && (cut.completed += 1) % cut.every === 0;
  const next = { before: 0, after: 0 };
  const isNext = (when: keyof typeof next) => next[when] > 0 && (next[when] -= 1) === 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.setNoDelay().on('error', () => socket.destroy()));
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    let [isConflicting, isIdle] = [false, true];
    // The first message of a client has no type.
    near
      .pipe(
        messages(true, (request) => {
          if (!request.equals(commit)) return request;
          if (isNext('before')) far.destroy();
          commits += 1;
          isConflicting = commits % every === 0;
          if (isConflicting) conflicts += 1;
          return isConflicting ? rollback : request;
        }),
      )
      .pipe(far);
    far
      .pipe(
        messages(false, (reply) => {
          if (reply[0] === READY) isIdle = reply[5] === IDLE;
          if (reply[0] !== COMPLETE) return reply;
          const tag = reply.toString('utf8', 5);
          if (isCut(tag) || (isCommit(tag, isIdle) && isNext('after'))) near.destroy();
          if (!isConflicting) return reply;
          isConflicting = false;
          return conflict;
        }),
      )
      .pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = new URL(target);
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url: url.href,
    conflicts: () => conflicts,
    cutAfter: (command, count) => void Object.assign(cut, { command, every: count, completed: 0 }),
    cutCommit(when, nth = 1) {
      next[when] = nth;
      return () => {
        const wasCut = next[when] === 0;
        next[when] = 0;
        return wasCut;
      };
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** Cuts a stream into messages, and replaces some messages. */
function messages(isFrontend: boolean, replace: (message: Buffer) => Buffer): Transform {
  let rest = Buffer.alloc(0);
  let isTyped = !isFrontend;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const lengthAt = isTyped ? 1 : 0;
        if (rest.length < lengthAt + 4) break;
        const end = lengthAt + rest.readInt32BE(lengthAt);
        if (rest.length < end) break;
        this.push(isTyped ? replace(rest.subarray(0, end)) : rest.subarray(0, end));
        isTyped = true;
        rest = rest.subarray(end);
      }
      done();
    },
  });
}
