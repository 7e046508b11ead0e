import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A server for a single bucket, with the part of S3's interface that backups use. */
export class FakeS3 {
  /** The objects, by key. */
  readonly objects = new Map<string, Buffer>();
  /** Whether each request is answered with 503. */
  isDown = false;
  private readonly uploads = new Map<string, Map<number, Buffer>>();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  /**
   * Starts the server.
   *
   * @returns the endpoint
   */
  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (this.isDown) return void response.writeHead(503).end();
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=test/'))
      return void response.writeHead(403).end();
    const send = (status: number, content: string | Buffer = '') =>
      response.writeHead(status, { etag: '"etag"' }).end(content);
    const upload = query.get('uploadId');
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `upload-${this.uploads.size}`;
      this.uploads.set(id, new Map());
      return void send(200, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`));
    }
    if (request.method === 'PUT' && upload !== null) {
      this.uploads.get(upload)?.set(Number(query.get('partNumber')), body);
      return void send(200);
    }
    if (request.method === 'POST' && upload !== null) {
      const parts = [...(this.uploads.get(upload) ?? [])].toSorted(([a], [b]) => a - b);
      this.objects.set(key, Buffer.concat(parts.map(([, part]) => part)));
      return void send(200, xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`));
    }
    if (request.method === 'PUT') this.objects.set(key, body);
    if (request.method === 'DELETE' && upload === null) this.objects.delete(key);
    if (request.method === 'GET' && query.has('list-type')) return void send(200, this.list(query));
    const object = this.objects.get(key);
    if (request.method !== 'GET') return void send(request.method === 'DELETE' ? 204 : 200);
    if (object) return void send(200, object);
    return void send(404, xml('Error', '<Code>NoSuchKey</Code><Message>the key does not exist</Message>'));
  }

  /** Lists the keys, two keys per page. */
  private list(query: URLSearchParams): string {
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .toSorted();
    const start = Number(query.get('continuation-token') ?? 0);
    const next = start + 2;
    const more = next < keys.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    const contents = keys.slice(start, next).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    return xml('ListBucketResult', `<IsTruncated>${more !== ''}</IsTruncated>${more}${contents.join('')}`);
  }
}

function xml(name: string, content: string): string {
  return `<?xml version="1.0"?><${name}>${content}</${name}>`;
}
