import { STATUS_CODES } from 'node:http';

/** The JSON type of an error fact; `strings` is a list. */
export type FactType = 'integer' | 'string' | 'strings';

/**
 * An error kind, which clients recognise by its code, regardless of the message. Its page is `/problems/<code>`.
 *
 * @see RFC 9457 §4 (problem types)
 */
export interface ProblemType {
  /** The code in lower case, digits and hyphens. Clients depend on it, so it never changes. */
  readonly code: string;
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /** The problem in general, the same for every occurrence. */
  readonly title: string;
  /** The remedy for the caller, in one or two sentences. */
  readonly remedy: string;
  /** The facts of an occurrence (`params`), from which clients write their own message. */
  readonly params?: Readonly<Record<string, FactType>>;
  /** Whether `errors` names the request members that caused the error, with this code. */
  readonly namesMembers?: true;
}

const codeForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Declares an error kind.
 *
 * @throws TypeError for a code that cannot be part of a path, or a status below 400
 */
export function problemType(type: ProblemType): ProblemType {
  if (!codeForm.test(type.code) || type.status < 400)
    throw new TypeError(
      `${type.status} ${type.code} must be an error status and a code such as email-conflict`,
    );
  return Object.freeze(type);
}

const byStatus = new Map<number, ProblemType>();

/** Returns the generic error kind for a status, such as `gone` for 410. */
export function problemOfStatus(status: number): ProblemType {
  const generic = byStatus.get(status) ?? makeGeneric(status);
  byStatus.set(status, generic);
  return generic;
}

function makeGeneric(status: number): ProblemType {
  const title = STATUS_CODES[status] ?? 'Error';
  const code = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return problemType({ code, status, title, remedy: remedyOf(status) });
}

function remedyOf(status: number): string {
  return status < 500
    ? 'Correct the request as `detail` says; the same request is rejected again.'
    : 'Try again later. If it persists, give `instance` to the operator, who finds the log entry by it.';
}
