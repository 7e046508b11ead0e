import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import {
  Body,
  Controller,
  Get,
  HttpException,
  Module,
  Param,
  Post,
  Put,
  StreamableFile,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsInt, IsString, Max, Min, MinLength } from 'class-validator';
import { createProgram, readSettings, serviceSettings } from '@app/service';
import { gatherLog, makePng, openConnection, readReplies } from '@app/service/testing';
import { missing } from '@app/http-errors';
import { DiskUploads } from './disk-uploads';
import { type UploadedFile, UploadStore } from './upload-store';
import { Upload } from './upload.decorator';
import { UploadsModule } from './uploads.module';

const png = makePng('a picture');
const largePng = makePng(Buffer.alloc(60_000));
const text = Buffer.from('Grüße\n');
/** A picture of one point. */
const jpeg = Buffer.from(
  `ffd8ffdb004300${'01'.repeat(64)}ffc0000b080001000101011100ffda0008010100003f00aaffd9`,
  'hex',
);
/** Files of a failed request are removed while its response is sent. */
const patience = { timeout: 10_000 };

class Caption {
  @IsString() @MinLength(2) caption!: string;
  @Type(() => Number) @IsInt() @Min(1) @Max(9) place!: number;
}

@Exclude()
class Kept {
  @Expose() bytes!: number;
}

/** The files that the handlers received. */
const received: unknown[] = [];

@Controller()
@Public()
class UploadController {
  constructor(private readonly store: UploadStore) {}

  @Post('pictures')
  @Returns('text')
  one(
    @Upload({ field: 'picture', maxBytes: 100_000, types: ['image/png', 'text/plain'] }) file: UploadedFile,
  ) {
    received.push(file);
    return file.key;
  }

  @Post('mixed')
  @Returns('text')
  mixed(
    @Upload({ maxBytes: 100_000, types: ['image/jpeg', 'text/csv', 'application/xml'] }) file: UploadedFile,
  ) {
    received.push(file);
    return file.key;
  }

  @Post('albums')
  @Returns('text')
  several(@Upload({ maxBytes: 1000, maxFiles: 2 }) files: UploadedFile[]) {
    received.push(files);
    return 'kept';
  }

  @Put('captioned/:id')
  @Returns('text')
  captioned(@Upload({ maxBytes: 1000 }) file: UploadedFile, @Body() body: Caption, @Param('id') id: string) {
    received.push([file, body, id]);
    return 'kept';
  }

  @Post('described')
  @Returns(Kept)
  described(@Upload({ maxBytes: 1000 }) file: UploadedFile): Kept {
    return file;
  }

  @Post('refused')
  @Returns('text')
  refuse(@Upload({ maxBytes: 1000 }) file: UploadedFile): string {
    received.push(file);
    throw new HttpException('no room', 409);
  }

  @Post('json')
  @Returns('text')
  json(@Body() body: Caption): string {
    return body.caption;
  }

  @Get('files/:key')
  @Returns('bytes')
  async read(@Param('key') key: string): Promise<StreamableFile> {
    const content = (await this.store.read(key)) ?? missing('file', key);
    return new StreamableFile(content, { type: 'image/png' });
  }
}

@Module({ controllers: [UploadController] })
class Uploads {}

describe.each(['compiled', 'nest'] as const)('uploads, on routes that are %s', (routes) => {
  const apps: NestFastifyApplication[] = [];
  const gathered = gatherLog('debug');
  let folder: string;
  let url: string;

  async function start(store: UploadStore = new DiskUploads(join(folder, 'kept'))): Promise<string> {
    const settings = readSettings(serviceSettings, { MAX_DELAY: 'off' });
    const module = { module: Uploads, imports: [UploadsModule.forRoot(store)] };
    const app = await createProgram({ name: 'api', module, settings, logs: gathered.logs, routes });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-uploads-'));
    url = await start();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await rm(folder, { recursive: true });
    received.length = 0;
  });

  const kept = () => readdir(join(folder, 'kept')).catch(() => []);
  const form = (...files: [field: string, bytes: Uint8Array<ArrayBuffer>, name: string, type?: string][]) => {
    const all = new FormData();
    for (const [field, bytes, name, type] of files) all.append(field, new Blob([bytes], { type }), name);
    return all;
  };
  const send = (path: string, body: FormData | string, method: 'POST' | 'PUT' = 'POST') =>
    fetch(url + path, { method, body });
  const bodyOf = (response: Response) => response.json() as Promise<{ message: string | string[] }>;

  it('hand the file to the handler, with the type of its bytes, and keep it', async () => {
    const response = await send(
      '/pictures',
      form(['picture', png, '../../etc/pass\u0007wd.exe', 'text/html']),
    );
    expect(response.status).toBe(201);
    const key = await response.text();
    expect(received).toEqual([{ key, name: 'passwd.exe', type: 'image/png', bytes: png.length }]);
    expect(await readFile(join(folder, 'kept', key))).toEqual(png);
    const read = await fetch(`${url}/files/${key}`);
    expect(Buffer.from(await read.arrayBuffer())).toEqual(png);
  });

  it('have responses as their routes declare them', async () => {
    const response = await send('/described', form(['file', png, 'a.png']));
    expect([response.status, await response.json()]).toEqual([201, { bytes: png.length }]);
  });

  it('take the word of the client for text, which has no signature', async () => {
    expect((await send('/pictures', form(['picture', text, 'a.txt', 'text/plain']))).status).toBe(201);
    expect(received).toMatchObject([{ type: 'text/plain', bytes: text.length }]);
    const binary = Buffer.from([1, 0, 2]);
    const refused = await send('/pictures', form(['picture', binary, 'a.txt', 'text/plain']));
    expect(refused.status).toBe(415);
  });

  it.each(['BMI,age\n22,40\n', 'MZ,1\n', '%!,1\n', 'ID3,1\n', 'GIF89a,1\n', '\u001b[1mbold\n'])(
    'take a text that begins as files of another type do: %j',
    async (content) => {
      const csv = form(['file', Buffer.from(content), 'a.csv', 'text/csv; charset=utf-8']);
      expect((await send('/mixed', csv)).status).toBe(201);
      expect(received).toMatchObject([{ type: 'text/csv' }]);
    },
  );

  it('recognise a signature with binary bytes, whatever the client declares', async () => {
    for (const bytes of [Buffer.from('MZ\u0001,1'), Buffer.from('GIF89a\u0001,1')])
      expect((await send('/mixed', form(['file', bytes, 'a.csv', 'text/csv']))).status).toBe(415);
    const xml = Buffer.from('<?xml version="1.0"?><a/>');
    expect((await send('/mixed', form(['file', xml, 'a.xml', 'text/xml']))).status).toBe(201);
    expect(received).toMatchObject([{ type: 'application/xml' }]);
  });

  it.each<[string, Buffer<ArrayBuffer>]>([
    ['UTF-16', Buffer.from('\ufeffName,Größe\n', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\ufeffName,Größe\n', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('Name,Größe\n', 'latin1')],
  ])('say what to do about a text in %s', async (_, bytes) => {
    const response = await send('/mixed', form(['file', bytes, 'a.csv', 'text/csv']));
    const types = 'image/jpeg, text/csv, application/xml';
    expect([response.status, (await bodyOf(response)).message]).toEqual([
      415,
      `file must be a file of one of these types: ${types}; save as UTF-8 if it is a text`,
    ]);
  });

  it.each([
    [`${'a'.repeat(254)}😀`, 'a'.repeat(254)],
    [`${'a'.repeat(253)}😀b`, `${'a'.repeat(253)}😀`],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['\u2066a\u200fb\u061c.txt', 'ab.txt'],
    ['a/\u2028b/c.txt', 'c.txt'],
    ['\u202e', 'file'],
  ])('have a name that every reader sees as it is: %j', async (name, shown) => {
    expect((await send('/albums', form(['file', text, name]))).status).toBe(201);
    expect(received).toMatchObject([[{ name: shown }]]);
  });

  it.each([
    ['a video', Buffer.from('\u0000\u0000\u0000\u0018ftypmp42', 'latin1')],
    ['further pictures, as MPF has them', jpeg],
    ['padding', Buffer.alloc(70_000)],
    ['a page', Buffer.from('<script>alert(1)</script>')],
  ])('keep a photo of a phone without what follows it: %s', async (_, after) => {
    const response = await send('/mixed', form(['file', Buffer.concat([jpeg, after]), 'a.jpg']));
    expect(response.status).toBe(201);
    const key = await response.text();
    expect(received).toMatchObject([{ type: 'image/jpeg', bytes: jpeg.length }]);
    expect(await readFile(join(folder, 'kept', key))).toEqual(jpeg);
  });

  it('of several files are a list, in the order of the form', async () => {
    const both = form(['file', png, 'a.png'], ['file', text, 'b.txt', 'text/plain']);
    expect((await send('/albums', both)).status).toBe(201);
    expect(received).toMatchObject([[{ name: 'a.png', type: 'image/png' }, { name: 'b.txt' }]]);
    expect(await kept()).toHaveLength(2);
    expect((await send('/albums', form(['file', png, 'a.png']))).status).toBe(201);
    expect(received[1]).toMatchObject([{ name: 'a.png' }]);
  });

  it('have the other fields of the form as a body, which the pipe validates', async () => {
    const body = form(['file', png, 'a.png']);
    body.append('caption', 'My boat');
    body.append('place', '2');
    expect((await send('/captioned/7', body, 'PUT')).status).toBe(200);
    expect(received).toEqual([
      [expect.objectContaining({ name: 'a.png' }), { caption: 'My boat', place: 2 }, '7'],
    ]);
    expect((received[0] as unknown[])[1]).toBeInstanceOf(Caption);
    body.set('place', '10');
    body.append('owner', '1');
    const refused = await send('/captioned/7', body, 'PUT');
    expect([refused.status, (await bodyOf(refused)).message]).toEqual([
      400,
      ['property owner should not exist', 'place must not be greater than 9'],
    ]);
    await expect.poll(kept, patience).toHaveLength(1);
  });

  it.each<[string, number, () => FormData, string | string[]]>([
    [
      '/pictures',
      413,
      () => form(['picture', makePng(Buffer.alloc(100_000)), 'a.png']),
      'picture must not be larger than 100000 bytes',
    ],
    [
      '/albums',
      413,
      () => form(['file', png, 'a.png'], ['file', Buffer.alloc(1001), 'b']),
      'file must not be larger than 1000 bytes',
    ],
    [
      '/pictures',
      415,
      () => form(['picture', Buffer.from('GIF89a'), 'a.png', 'image/png']),
      'picture must be a file of one of these types: image/png, text/plain',
    ],
    [
      '/albums',
      422,
      () => form(['file', png, 'a'], ['file', png, 'b'], ['file', png, 'c']),
      'file must not have more than 2 files',
    ],
    [
      '/pictures',
      422,
      () => form(['picture', png, 'a'], ['picture', png, 'b']),
      'picture must not have more than 1 file',
    ],
    ['/pictures', 422, () => new FormData(), 'send a file in the field picture'],
    ['/pictures', 400, () => form(['portrait', png, 'a.png']), ['property portrait should not exist']],
    ['/refused', 409, () => form(['file', png, 'a.png']), 'no room'],
  ])('to %s are %i, and leave nothing', async (path, status, body, message) => {
    const response = await send(path, body());
    expect([response.status, (await bodyOf(response)).message]).toEqual([status, message]);
    await expect.poll(kept, patience).toEqual([]);
  });

  it('reject a field of text where the route has no body', async () => {
    const body = form(['picture', png, 'a.png']);
    body.append('caption', 'My boat');
    const response = await send('/pictures', body);
    expect([response.status, (await bodyOf(response)).message]).toEqual([
      400,
      ['property caption should not exist'],
    ]);
    expect(await kept()).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('survive a field named %s', async (name) => {
    const body = form(['file', png, 'a.png']);
    body.append(name, 'x');
    expect((await send('/captioned/7', body, 'PUT')).status).toBe(400);
    expect((await send('/albums', form([name, png, 'a.png']))).status).toBe(400);
    expect(await kept()).toEqual([]);
  });

  it('are limited in their fields', async () => {
    const long = form(['file', png, 'a.png']);
    long.append('caption', 'x'.repeat(200_000));
    expect((await send('/captioned/7', long, 'PUT')).status).toBe(413);
    const many = form(['file', png, 'a.png']);
    for (let at = 0; at < 200; at++) many.append('caption', 'x');
    expect((await send('/captioned/7', many, 'PUT')).status).toBe(413);
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['application/json', '{}', 415],
    ['text/plain', 'x', 415],
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=x', 'no boundary', 400],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nbroken', 400],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\ncut',
      400,
    ],
    ['multipart/form-data; boundary=x', '--x--\r\n', 422],
  ])('of %s with the body %j are refused', async (type, body, status) => {
    const response = await fetch(`${url}/pictures`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(await kept()).toEqual([]);
  });

  it('are refused without a body, and compressed', async () => {
    expect((await fetch(`${url}/pictures`, { method: 'POST' })).status).toBe(415);
    const body = form(['picture', png, 'a.png']);
    const headers = { 'content-encoding': 'gzip' };
    expect((await fetch(`${url}/pictures`, { method: 'POST', body, headers })).status).toBe(415);
  });

  it('are only for routes with @Upload', async () => {
    expect((await send('/json', form(['file', png, 'a.png']))).status).toBe(415);
    const headers = { 'content-type': 'application/json' };
    const json = await fetch(`${url}/json`, { method: 'POST', headers, body: '{"caption":"ab","place":1}' });
    expect(json.status).toBe(201);
  });

  it('that are too large get their 413 before they were sent completely', async () => {
    const response = await fetch(`${url}/pictures`, {
      method: 'POST',
      body: form(['picture', makePng(Buffer.alloc(4 * 1024 * 1024)), 'a.png']),
    });
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close']);
  });

  it('that are aborted leave nothing, and are no error', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const head =
      'POST /pictures HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000\r\n\r\n';
    const part = '--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n';
    socket.write(Buffer.concat([Buffer.from(head + part), largePng]));
    await expect.poll(kept, patience).toEqual([expect.stringMatching(/\.part$/)]);
    socket.destroy();
    await expect.poll(kept, patience).toEqual([]);
    expect(received).toEqual([]);
    await expect
      .poll(() => gathered.lines().filter(({ msg }) => msg === 'client aborted request').length, patience)
      .toBeGreaterThan(0);
    expect(gathered.lines().filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  it('may take longer than requests to other routes, which are 408 after thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const port = Number(new URL(await start()).port);
      const bytesOf = (socket: Socket) => socket.bytesRead;
      const arrived: Socket[] = [];
      apps
        .at(-1)
        ?.getHttpServer()
        .on('connection', (socket: Socket) => arrived.push(socket));
      const begin = async (head: string) => {
        const socket = await openConnection(port);
        socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n`);
        return socket;
      };
      const json = await begin('POST /json HTTP/1.1');
      json.write('Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n"');
      const [part, end] = [
        '--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n',
        '\r\n--b--\r\n',
      ];
      const length = part.length + largePng.length + end.length;
      const upload = await begin('POST /pictures HTTP/1.1');
      upload.write(
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${part}`,
      );
      const [refused, accepted] = [readReplies(json), readReplies(upload)];
      await expect.poll(() => arrived.filter((socket) => bytesOf(socket) > 100).length, patience).toBe(2);
      vi.advanceTimersByTime(1000);
      // Enough for a minute at the least rate.
      json.write('x'.repeat(60_000));
      upload.write(largePng);
      await expect.poll(() => arrived.map(bytesOf).every((bytes) => bytes > 60_000), patience).toBe(true);

      vi.advanceTimersByTime(29_000);
      expect(json.readyState).toBe('open');
      vi.advanceTimersByTime(3000);
      expect((await refused).map(({ status }) => status)).toEqual([408]);
      upload.write(end);
      expect((await accepted).map(({ status }) => status)).toEqual([201]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('answer 503 while the store fails', async () => {
    await writeFile(join(folder, 'kept'), 'a file in place of the folder');
    const response = await send('/pictures', form(['picture', png, 'a.png']));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await bodyOf(response)).toMatchObject({ message: 'the file cannot be stored, try again shortly' });
  });

  it('are read by 32 responses to one address at once, which hold a descriptor each', async () => {
    const key = randomUUID();
    await mkdir(join(folder, 'kept'));
    await writeFile(join(folder, 'kept', key), '');
    // More than the buffers of a connection take.
    await truncate(join(folder, 'kept', key), 64 * 1024 * 1024);
    const read = () => fetch(`${url}/files/${key}`);
    const responses = await Promise.all(Array.from({ length: 48 }, read));
    const refused = responses.filter(({ status }) => status === 429);
    expect([refused.length, refused[0]?.headers.get('retry-after')]).toEqual([16, '1']);
    expect(await openFiles(folder)).toBe(process.platform === 'linux' ? 32 : 0);
    for (const { body } of responses) await body?.cancel();
    await expect.poll(() => openFiles(folder), patience).toBe(0);
    const again = await read();
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  it('that a killed process has left are removed at start, younger ones are not', async () => {
    const [old, young] = ['old.part', 'young.part'].map((name) => join(folder, 'kept', name));
    await mkdir(join(folder, 'kept'));
    await Promise.all([old, young].map((path) => writeFile(path ?? '', 'x')));
    await utimes(old ?? '', 0, 0);
    await start();
    expect(await kept()).toEqual(['young.part']);
  });

  it('go to the store that the plan of the program gives', async () => {
    const stored = new Map<string, Uint8Array>();
    class Memory extends UploadStore {
      async write(bytes: AsyncIterable<Uint8Array>, type: string): Promise<string> {
        stored.set(type, await buffer(bytes));
        return type;
      }
      read = () => Promise.reject(new Error('not used')) as never;
      async remove(key: string): Promise<void> {
        stored.delete(key);
      }
    }
    url = await start(new Memory());
    expect((await send('/pictures', form(['picture', png, 'a.png']))).status).toBe(201);
    expect([...stored]).toEqual([['image/png', png]]);
    expect((await send('/refused', form(['file', text, 'a.txt', 'text/plain']))).status).toBe(409);
    await expect.poll(() => [...stored.keys()], patience).toEqual(['image/png']);
  });
});

/** How many descriptors of this process are files of a folder; none is seen without /proc. */
async function openFiles(place: string): Promise<number> {
  const links = (await readdir('/proc/self/fd').catch(() => [])).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(links)).filter((path) => path.startsWith(place)).length;
}

describe('@Upload', () => {
  it.each([
    { maxBytes: 0 },
    { maxBytes: 1.5 },
    { maxBytes: 1, maxFiles: 0 },
    { maxBytes: 1, field: 'a b' },
    { maxBytes: 1, types: ['png'] },
  ])('cannot have the options %j', (options) => {
    expect(() => Upload(options)).toThrow(TypeError);
  });

  it('is for one parameter of a handler', () => {
    class Twice {
      add(..._files: unknown[]): void {}
    }
    const upload = Upload({ maxBytes: 1 });
    upload(Twice.prototype, 'add', 0);
    expect(() => upload(Twice.prototype, 'add', 1)).toThrow('one parameter');
  });
});
