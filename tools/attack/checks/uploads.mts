import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileOf, type HostileFile, otherFiles, polyglots, script } from '../openapi/files.mts';
import { nameOf, type Operation, type Upload } from '../openapi/openapi.mts';
import { permittedRequest } from '../target/requests.mts';
import { settled } from '../target/settled.mts';
import { check, type Check, type Target } from '../target/target.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';
import { formAttempt } from '../wire/form.mts';
import { openRaw, type RawConnection } from '../wire/raw.mts';

const area = 'uploads';
const MB = 1024 * 1024;

/** The statuses that refuse a file to a caller who may store files. */
const refusals = new Set([400, 413, 415, 422]);

/** Checks that a file is refused if its content differs from its media type. */
const types = check(area, 'files of another type', async (target, findings) => {
  for (const { operation, upload } of uploadsOf(target)) {
    for (const type of upload.types) {
      for (const { fault, content } of otherFiles(type)) {
        const attempt = await uploadOf(target, operation, upload, type, content);
        const { status } = attempt ? await target.wire.send(attempt) : { status: 400 };
        const problem = `${nameOf(operation)} answers ${status} to ${fault} as ${type}`;
        findings.expect(refusals.has(status), problem, attempt);
      }
    }
  }
  if (findings.cases === 0) findings.note('no route takes a file of a named type');
});

/** Checks that a file that is also a page is refused, or never comes back as content that a browser runs. */
const twofold = check(area, 'files that are two things', async (target, findings) => {
  for (const { operation, upload } of uploadsOf(target)) {
    const [type = 'application/octet-stream'] = upload.types;
    for (const file of polyglots(type)) {
      const attempt = await uploadOf(target, operation, upload, type, file.content);
      const { status } = attempt ? await target.wire.send(attempt) : { status: 400 };
      const holds = status < 300 || refusals.has(status);
      findings.expect(holds, `${nameOf(operation)} answers ${status} to ${file.fault}`, attempt);
      if (status >= 300) continue;
      const read = await readingOf(target, operation);
      const answer = read && (await target.wire.send(read));
      const problem = answer && whatRuns(answer, file);
      findings.expect(problem === undefined, `${file.fault}: ${read?.path} ${problem}`, read);
    }
  }
  if (findings.cases === 0) findings.note('no route takes a file');
});

/** Returns the reason why a browser may run the page in a response; `undefined` if it does not run the page. */
function whatRuns({ headers, text }: Answer, { content }: HostileFile): string | undefined {
  if (!content.includes(script) || !text.includes(script)) return undefined;
  if (/html|svg|xml/i.test(headers['content-type'] ?? '')) return `is sent as ${headers['content-type']}`;
  if (headers['x-content-type-options'] !== 'nosniff')
    return 'is sent without X-Content-Type-Options: nosniff';
  const isSaved = /^attachment\b/i.test(headers['content-disposition'] ?? '');
  return isSaved ? undefined : 'is sent without Content-Disposition: attachment';
}

/** The memory and the open files that downloads may take that nobody reads. */
const most = { bytes: 300 * MB, filesPerDownload: 2.5 };

/** Checks that unread downloads stay out of memory and are opened only once. */
const unread = check(area, 'unread downloads', async (target, findings) => {
  const { meter, wire, effort } = target;
  if (!meter) return findings.note('memory can be read for a program on this machine alone (Linux)');
  for (const { operation, upload } of uploadsOf(target)) {
    const stored = await storeLargest(target, operation, upload);
    const read = await readingOf(target, operation);
    if (stored === 0 || !read) continue;
    const [memory, files] = [meter.memory(), meter.openFiles()];
    const allowed = effort.slowConnections * most.filesPerDownload;
    const { authorization = '' } = { ...read.headers };
    const head = `GET ${wire.at(read.path)} HTTP/1.1\r\nhost: ${wire.url.host}\r\nauthorization: ${String(authorization)}\r\n\r\n`;
    const connections = await openUnread(target, head.repeat(3), effort.slowConnections);
    let [grown, opened] = [0, 0];
    const shareOfAllowed = () => {
      grown = Math.max(grown, meter.memory() - memory);
      opened = Math.max(opened, meter.openFiles() - files);
      return Math.max(grown / most.bytes, opened / allowed);
    };
    await settled(shareOfAllowed, { step: 0.02, stableMs: 1500, limit: 1 });
    connections.forEach((connection) => connection.close());
    const count = connections.length;
    findings.note(
      `${count} connections with 3 downloads of ${(stored / MB).toFixed(1)} MB: ${Math.round(grown / MB)} MB, ${opened} files`,
    );
    findings.expect(grown <= most.bytes, `${count} unread downloads took ${Math.round(grown / MB)} MB`, read);
    findings.expect(opened <= allowed, `${count} unread downloads hold ${opened} files open`, read);
  }
  if (findings.cases === 0) findings.note('no file that a route takes can be read back');
});

async function openUnread(
  { wire, addresses }: Target,
  head: string,
  count: number,
): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  for (let uploaded = 0; uploaded < count; uploaded += 1) {
    const connection = openRaw(wire.url, addresses[uploaded % Math.max(1, addresses.length)]);
    connection.socket.pause();
    connection.socket.write(head);
    opened.push(connection);
    if (uploaded % 50 === 49) await pause(20);
  }
  await Promise.race([once(opened.at(-1)?.socket ?? process, 'ready'), pause(2000)]);
  return opened;
}

/** Stores the largest file that the service accepts. Returns its size in bytes; 0 if the service accepts no file. */
async function storeLargest(target: Target, operation: Operation, upload: Upload): Promise<number> {
  const [type = 'application/octet-stream'] = upload.types;
  for (let bytes = upload.maxBytes ?? 8 * MB; bytes > 1024; bytes = Math.floor(bytes / 2)) {
    const content = fileOf(type, bytes - fileOf(type).length);
    const attempt = await uploadOf(target, operation, upload, type, content);
    if (attempt && (await target.wire.send(attempt)).status < 300) return content.length;
  }
  return 0;
}

function uploadsOf({ operations }: Target): { operation: Operation; upload: Upload }[] {
  return operations.flatMap((operation) =>
    operation.upload === undefined ? [] : [{ operation, upload: operation.upload }],
  );
}

async function uploadOf(
  target: Target,
  operation: Operation,
  { member }: Upload,
  type: string,
  content: Buffer,
): Promise<Attempt | undefined> {
  const request = await permittedRequest(operation, target);
  return request && formAttempt(request, member, { type, content });
}

/** The request for the file that an operation has stored: of the same path. */
async function readingOf(target: Target, { path }: Operation): Promise<Attempt | undefined> {
  const read = target.operations.find((operation) => operation.method === 'GET' && operation.path === path);
  return read && permittedRequest(read, target);
}

export const uploads: readonly Check[] = [types, twofold, unread];
