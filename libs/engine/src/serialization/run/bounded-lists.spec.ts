import { ResponseTooLargeError } from '../errors';
import { boundedLists, maxListLength } from './bounded-lists';

describe('a list that is sent without pages', () => {
  const write = vi.fn<(sent: unknown) => string>((sent) => JSON.stringify(sent));
  const bounded = boundedLists(write, 'GET /things');
  beforeEach(() => void write.mockClear());

  it.each([0, 1, 100, 101, 200, 1234])('is written as it would be at once: %i elements', (length) => {
    const list = Array.from({ length }, (_, id) => ({ id, text: 'a,b]' }));
    expect(bounded(list)).toBe(JSON.stringify(list));
  });

  it('is not written further than its limit', () => {
    const list = Array.from({ length: 1_000 }, () => 'x'.repeat(maxListLength / 400));
    expect(() => bounded(list)).toThrow(new ResponseTooLargeError('GET /things', maxListLength));
    expect(write).toHaveBeenCalledTimes(4);
  });

  it('is rejected when few elements are too long', () => {
    expect(() => bounded(['x'.repeat(maxListLength)])).toThrow(ResponseTooLargeError);
  });

  it('may be followed by something else', () => {
    expect(bounded({ id: 1 })).toBe('{"id":1}');
  });
});
