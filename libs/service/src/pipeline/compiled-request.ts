import type { IncomingMessage } from 'node:http';
import { all as addressesOf } from '@fastify/proxy-addr';
import type { CompiledRoute } from './compiled-route';

/** A request to a compiled route, with the members of Fastify's request. It has no JSON schemas, so their members are absent. */
export class CompiledRequest {
  body: unknown = undefined;
  /** The caller that the guard has set. */
  user: unknown = undefined;
  /** The body bytes that have arrived. */
  received: Buffer | undefined;
  private aborter: AbortController | undefined;

  constructor(
    public id: string,
    readonly route: CompiledRoute,
    readonly raw: IncomingMessage,
    public params: unknown,
    public query: unknown,
  ) {}

  get log() {
    return this.route.log;
  }

  get is404(): boolean {
    return false;
  }

  get server() {
    return this.route.server;
  }

  get routeOptions() {
    return this.route.options;
  }

  get headers() {
    return this.raw.headers;
  }

  get socket() {
    return this.raw.socket;
  }

  get url(): string {
    return this.raw.url ?? '';
  }

  get originalUrl(): string {
    return this.url;
  }

  get method(): string {
    return this.raw.method ?? '';
  }

  get ips(): string[] | undefined {
    return this.route.trusts && addressesOf(this.raw, this.route.trusts);
  }

  get ip(): string {
    return this.ips?.at(-1) ?? this.socket.remoteAddress ?? '';
  }

  get host(): string {
    return this.forwarded('x-forwarded-host') ?? this.headers.host ?? '';
  }

  get hostname(): string {
    const { host } = this;
    return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? '');
  }

  get port(): number | null {
    const port = /:(\d+)$/.exec(this.host)?.[1];
    return port === undefined ? null : Number(port);
  }

  get protocol(): 'http' | 'https' {
    return this.forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http';
  }

  get mediaType(): string | undefined {
    return this.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  }

  get signal(): AbortSignal {
    if (this.aborter === undefined) {
      const aborter = new AbortController();
      this.raw.once('close', () => aborter.abort());
      this.aborter = aborter;
    }
    return this.aborter.signal;
  }

  getDecorator(name: string | symbol): unknown {
    return Reflect.get(this, name);
  }

  setDecorator(name: string | symbol, value: unknown): void {
    Reflect.set(this, name, value);
  }

  /** Returns the last value of a header that the nearest proxy sent, if the program trusts it. */
  private forwarded(name: 'x-forwarded-host' | 'x-forwarded-proto'): string | undefined {
    const value = this.headers[name];
    const isTrusted = this.route.trusts?.(this.socket.remoteAddress ?? '', 0) === true;
    return isTrusted && typeof value === 'string'
      ? value.slice(value.lastIndexOf(',') + 1).trim()
      : undefined;
  }
}
