import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { copyLines } from './copy-lines';

async function send(to: PassThrough, text: string): Promise<void> {
  const arrived = once(to, 'data');
  to.write(text);
  await arrived;
}

describe('the log of several workers', () => {
  it('gets complete lines, whatever the pieces in which they arrive', async () => {
    const [first, second] = [new PassThrough(), new PassThrough()];
    const written: string[] = [];
    for (const from of [first, second]) copyLines(from, (lines) => written.push(lines));
    await send(first, '{"a":1');
    await send(second, '{"b":1}\n{"b":2}\n{"b"');
    await send(first, '}\n');
    first.end();
    second.end(':3}');
    await Promise.all([once(first, 'end'), once(second, 'end')]);
    expect(written).toEqual(['{"b":1}\n{"b":2}\n', '{"a":1}\n', '{"b":3}\n']);
  });

  it('keeps a character whose bytes arrive apart', async () => {
    const from = new PassThrough();
    const written: string[] = [];
    copyLines(from, (lines) => written.push(lines));
    const [start, end] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)];
    from.write(start);
    from.end(end);
    await once(from, 'end');
    expect(written.join('')).toBe('é\n');
  });
});
