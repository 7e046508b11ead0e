import { Duplex } from 'node:stream';

/** A connection to a client in the same process. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  /** Receives each response, which is a single write. */
  onResponse: (response: Buffer) => void = () => {};

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.onResponse(chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.onResponse(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  // What servers ask of a socket.
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
