import { isUtf8 } from 'node:buffer';
import { isDeeperThan } from './json-depth';
import { BrokenUtf8Error, MalformedJsonError, TooDeepError } from '../errors';
import { maybeUnsafe, checkJsonValue } from './unsafe-json';
import { maxDepth } from '../limits';

const byteOrderMark = 0xfeff;

/**
 * Reads a body. A byte order mark at its start is skipped (RFC 8259 §8.1 allows that). For a duplicate key the last value
 * counts, as with `JSON.parse`. The value may be of any type.
 *
 * @returns the value; `undefined` for an empty body
 * @throws BrokenUtf8Error, TooDeepError, MalformedJsonError, ForbiddenKeyError, LoneSurrogateError
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const json = textOf(bytes);
  if (isDeeperThan(maxDepth, json)) throw new TooDeepError(maxDepth);
  const value = parse(json);
  if (maybeUnsafe(json)) checkJsonValue(value);
  return value;
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new BrokenUtf8Error();
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // `cause` is left out because V8 quotes a piece of the body, which may be a password.
    throw new MalformedJsonError(placeIn(String(error)));
  }
}

function placeIn(message: string): string | undefined {
  if (message.includes('Unexpected end')) return 'it ends too early';
  const place = /\(line (\d+) column (\d+)\)$/.exec(message);
  return place ? `look at line ${place[1]}, column ${place[2]}` : undefined;
}
