import { ResponseTooLargeError } from '../errors';
import type { Writer } from './writer';

/** The maximum length of a list that is sent without pages, in JSON characters. */
export const maxListLength = 4 * 1024 * 1024;
/** The number of elements that are written before the length is checked. */
const portion = 100;

/**
 * Writes lists in portions, and gives up when they are too long, because writing a response blocks everything else.
 *
 * @param route such as `GET /users`, for the error
 * @throws ResponseTooLargeError for a longer list
 */
export function boundedLists(write: Writer, route: string): Writer {
  return (sent) => (Array.isArray(sent) ? writeBounded(sent, write, route) : write(sent));
}

function writeBounded(list: unknown[], write: Writer, route: string): string {
  if (list.length <= portion) return checked(write(list), route);
  let text = '';
  for (let at = 0; at < list.length; at += portion) {
    const written = write(list.slice(at, at + portion)).slice(1, -1);
    text = checked(text === '' ? written : `${text},${written}`, route);
  }
  return `[${text}]`;
}

function checked(text: string, route: string): string {
  if (text.length > maxListLength) throw new ResponseTooLargeError(route, maxListLength);
  return text;
}
