import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OpenResponses } from './open-responses';

let now = 0;

/** A response of a connection that has sent so many bytes of it. */
class Underway extends EventEmitter {
  readonly socket = { bytesWritten: 0, writableLength: 0, destroy: vi.fn<() => void>() };
  readonly req = { socket: this.socket };
}

describe('responses with files', () => {
  const openAll = (perCaller: number, inTotal: number) => {
    const admit = new OpenResponses(perCaller, inTotal, () => now).admissionAfter(undefined);
    return (userId: number) => {
      const raw = new Underway();
      admit({ user: { userId } } as FastifyRequest & object, { raw } as unknown as FastifyReply);
      return raw;
    };
  };

  it('are bounded for each caller until they are sent', () => {
    const open = openAll(2, 100);
    const first = open(7);
    open(7);
    expect(() => open(7)).toThrow(expect.objectContaining({ name: 'TooManyOpenResponsesError' }));
    expect(() => open(8)).not.toThrow();
    first.emit('close');
    first.emit('close');
    open(7);
    expect(() => open(7)).toThrow(expect.objectContaining({ name: 'TooManyOpenResponsesError' }));
  });

  it('are bounded in total, by ending the one with the least progress', () => {
    const open = openAll(2, 3);
    const [fast, slow, unread] = [1, 2, 3].map(open);
    Object.assign(fast?.socket ?? {}, { bytesWritten: 9000 });
    Object.assign(slow?.socket ?? {}, { bytesWritten: 9000, writableLength: 8000 });
    expect(() => open(4)).toThrow(expect.objectContaining({ name: 'ResponsesExhaustedError' }));
    now += 2000;
    open(4);
    const ended = [fast, slow, unread].map((response) => response?.socket.destroy.mock.calls.length);
    expect(ended).toEqual([0, 0, 1]);
    unread?.emit('close');
    open(5);
    expect(slow?.socket.destroy).toHaveBeenCalledTimes(1);
  });
});
