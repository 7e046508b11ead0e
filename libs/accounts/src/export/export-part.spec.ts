import 'reflect-metadata';
import { Readable } from 'node:stream';
import { Expose as ExposeTo, OwnedBy, registerAudiences } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { accountAudiences } from '../access/audiences';
import { writePart } from './export-part';

@Exclude()
class Note {
  @Expose() text!: string;
}

const row = (id: number) => ({ id, text: `note ${id}`, secret: 'x' });

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('a part of an export', () => {
  it('is a JSON list of what its class exposes', async () => {
    const write = writePart({ name: 'notes', as: Note, read: async () => [row(1), row(2)] });
    expect(await textOf(write(1))).toBe('[{"text":"note 1"},{"text":"note 2"}]');
  });

  it('has the fields for the account itself, and no fields for roles', async () => {
    registerAudiences(accountAudiences(['admin'], []));
    @Exclude()
    @OwnedBy('accountId')
    class Message {
      @ExposeTo({ to: 'self' }) draft!: string;
      @ExposeTo({ to: 'admin' }) note!: string;
      accountId!: number;
    }
    const stored = { id: 1, draft: 'd', note: 'n' };
    const write = writePart({
      name: 'messages',
      as: Message,
      read: async () => [
        { ...stored, accountId: 1 },
        { ...stored, accountId: 2 },
      ],
    });
    expect(await textOf(write(1))).toBe('[{"draft":"d"},{}]');
  });

  it('is an empty list without rows', async () => {
    const write = writePart({ name: 'notes', as: Note, read: async () => [] });
    expect(await textOf(write(1))).toBe('[]');
  });

  it('goes on after a page that was cut because of its size, and ends after an empty one', async () => {
    const asked: unknown[] = [];
    const write = writePart({
      name: 'notes',
      as: Note,
      read: async (accountId, { after = 0, limit }) => {
        asked.push([accountId, after, limit]);
        return { rows: after < 3 ? [row(after + 1)] : [], isCut: after < 3 };
      },
    });
    expect(JSON.parse(await textOf(write(7)))).toHaveLength(3);
    expect(asked).toEqual([0, 1, 2, 3].map((after) => [7, after, 100]));
  });

  it('is read as fast as it is taken, and no further once the receiver is gone', async () => {
    let pages = 0;
    const write = writePart({
      name: 'notes',
      as: Note,
      read: async (_, { after = 0, limit }) => {
        pages += 1;
        return Array.from({ length: limit }, (__, place) => row(after + place + 1));
      },
    });
    const stream = Readable.from(write(1), { highWaterMark: 1 });
    const pieces = stream[Symbol.asyncIterator]();
    for (let taken = 0; taken < 5; taken += 1) await pieces.next();
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(pages).toBeLessThan(10);
  });
});
