import { isUtf8 } from 'node:buffer';

/** An unvalidated JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Encodes a segment of a compact JWS. */
export function writeSegment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Decodes a compact JWS segment that contains a JSON object.
 *
 * @returns `undefined` unless the segment is canonical base64url without padding, valid UTF-8, and an object
 */
export function readSegment(segment: string): JsonObject | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  // Node's decoder ignores invalid characters, padding and trailing bits; encoding the bytes again detects them.
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
