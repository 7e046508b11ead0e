import * as fc from 'fast-check';
import { HttpError } from '@app/http-errors';
import { ForbiddenKeyError, LoneSurrogateError } from '../errors';
import { readJson } from './read-json';

describe('reading a body', () => {
  it('returns what JSON.parse returns, or throws the matching error, for any JSON with any escapes', () => {
    fc.assert(
      fc.property(spelledJson, (json) => {
        const value: unknown = JSON.parse(json);
        expect(nameOf(() => expect(readJson(Buffer.from(json))).toEqual(value))).toBe(faultOf(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('throws only ingress errors, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), mangledJson), (bytes) => {
        expect(() => nameOf(() => readJson(Buffer.from(bytes)))).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });

  it('reports the path of a forbidden key', () => {
    const body = Buffer.from('{"items":[{},{"a":{"__proto__":1}}]}');
    expect(() => readJson(body)).toThrow(ForbiddenKeyError);
    expect(() => readJson(body)).toThrow(
      expect.objectContaining({
        reply: expect.objectContaining({
          status: 400,
          message: ['property __proto__ should not exist'],
          details: [{ field: 'items.1.a.__proto__', messages: ['property __proto__ should not exist'] }],
        }),
      }),
    );
  });

  it('allows 32 levels and no more', () => {
    expect(() => readJson(nested(32))).not.toThrow();
    expect(() => readJson(nested(33))).toThrow('more than 32 levels deep');
  });
});

function nested(levels: number): Buffer {
  return Buffer.from('['.repeat(levels) + ']'.repeat(levels));
}

const names = fc.constantFrom(
  'a',
  '0',
  '__proto__',
  'constructor',
  'prototype',
  'prototypes',
  '\\u005f',
  'ä',
  '😀',
);
const texts = fc.oneof(names, fc.constantFrom('\ud800', 'x\udc00', '\ude00\ud83d', '\\ud800', '"\\'));

/** JSON whose strings and keys are partly written as escapes. An unpaired surrogate can only be written so. */
const spelledJson = fc
  .tuple(
    fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc
          .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: names }, texts), tie('value')), { maxLength: 3 })
          .map(asObject),
      ),
    })).value,
    fc.nat(3),
  )
  .map(([value, every]) => escapeSome(JSON.stringify(value), every));

/** With `__proto__` as an own key, as `JSON.parse` creates it. */
function asObject(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** Writes some letters within strings as escapes. */
function escapeSome(json: string, every: number): string {
  let seen = 0;
  const escapeLetter = (piece: string) => {
    seen += 1;
    const isChosen = piece.length === 1 && every > 0 && seen % every === 0;
    return isChosen ? `\\u00${piece.charCodeAt(0).toString(16)}` : piece;
  };
  return json.replaceAll(/"(?:\\.|[^"\\])*"/g, (string) =>
    string.replaceAll(/\\u[\da-f]{4}|\\.|[a-z_]/g, escapeLetter),
  );
}

const mangledJson = fc.tuple(spelledJson, fc.nat(), fc.nat(255)).map(([json, at, byte]) => {
  const bytes = Buffer.from(json);
  bytes[at % bytes.length] = byte;
  return bytes;
});

/** The result of a simple recursive walk over the value. */
function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : LoneSurrogateError.name;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (['__proto__', 'constructor', 'prototype'].includes(key)) return ForbiddenKeyError.name;
    if (!key.isWellFormed()) return LoneSurrogateError.name;
    const fault = faultOf(Object.getOwnPropertyDescriptor(value, key)?.value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The name of the ingress error that the work throws. Any other error is rethrown. */
function nameOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.name;
    throw error;
  }
}
