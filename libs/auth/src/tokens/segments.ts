import { isUtf8 } from 'node:buffer';

/** The members of a JSON object, as somebody sent them. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Writes one segment of a compact JWS. */
export function writeSegment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Reads one segment of a compact JWS that holds a JSON object.
 *
 * @returns `undefined` unless it is the one spelling of that content: base64url without padding, UTF-8, an object
 */
export function readSegment(segment: string): JsonObject | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  // Node's decoder forgives foreign characters, padding and trailing bits. Writing the bytes again does not.
  if (bytes.toString('base64url') !== segment || !isUtf8(bytes)) return undefined;
  return parseObject(bytes.toString());
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
