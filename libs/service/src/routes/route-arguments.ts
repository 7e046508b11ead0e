import { isThenable, Rejected } from '@app/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Reads an argument of a handler: a value, a promise if the pipe is asynchronous, or {@link Rejected}. */
export type ReadArgument = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The handler's arguments, or the error for the first rejected argument. It is a promise only if an argument is a promise. */
type Arguments = unknown[] | Rejected | Promise<unknown[]>;

export type ReadArguments = (request: FastifyRequest, reply: FastifyReply) => Arguments;

/** A parameter of a handler. */
export interface ArgumentSlot {
  readonly index: number;
  readonly read: ReadArgument;
  /** Whether a thenable is awaited. Fastify's reply is a thenable that is passed unchanged. */
  readonly mayWait: boolean;
}

/** Reads all arguments. As in Nest, every pipe starts before the first rejection is reported. */
export function readAll(
  slots: readonly ArgumentSlot[],
  request: FastifyRequest,
  reply: FastifyReply,
): Arguments {
  const values: unknown[] = [];
  let rejected: Rejected | undefined;
  let isWaiting = false;
  for (const { index, read, mayWait } of slots) {
    const value = readOrReject(read, request, reply);
    if (value instanceof Rejected) rejected ??= value;
    else if (mayWait && isThenable(value)) isWaiting = true;
    values[index] = value;
  }
  return isWaiting ? waitFor(slots, values) : (rejected ?? values);
}

function readOrReject(read: ReadArgument, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    return read(request, reply);
  } catch (error) {
    return new Rejected(error);
  }
}

/** Waits for all values, and reports the first failure. Synchronous rejections count as earlier. */
function waitFor(slots: readonly ArgumentSlot[], values: unknown[]): Promise<unknown[]> {
  const settled = slots.map(async ({ index, mayWait }) => {
    const value = values[index];
    if (value instanceof Rejected) throw value.error;
    if (mayWait) values[index] = await value;
  });
  return Promise.all(settled).then(() => values);
}
