import { hash } from 'node:crypto';
import type { Database, Isolation } from '@app/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IdempotencyKeyRow } from './idempotency-key.table';
import { callerOf } from '../rate-limit/caller-of';
import { receivedBytes } from '../http/body/received-bytes';
import { inRequestTransaction } from '../routes/request-transaction';
import { InvalidKeyError, KeyInProgressError, KeyReusedError } from './errors';
import { StoredResponsesStore } from './stored-responses.store';

const keyForm = /^[\x21-\x7e]{1,255}$/;

/** A function that calls a handler. */
type Call = () => unknown;

/**
 * Runs requests with an `Idempotency-Key` once. The handler's writes, the key and the response share a transaction, and retries
 * get the stored response.
 *
 * @see draft-ietf-httpapi-idempotency-key-header-07
 */
export class IdempotentRequests {
  private readonly responses: StoredResponsesStore;
  /** The ids of the requests that are running in this program. */
  private readonly running = new Set<string>();

  constructor(private readonly db: Database) {
    this.responses = new StoredResponsesStore(db);
  }

  /**
   * Calls a handler, or returns the stored response. If the header is absent, it only calls the handler.
   *
   * @param call may be called several times; all calls except the last are rolled back
   * @param isolation the transaction's isolation level
   * @returns the handler's result; with the header, the body as text
   * @throws InvalidKeyError, KeyInProgressError, KeyReusedError; the handler's errors, after which nothing is stored
   */
  run(request: FastifyRequest, reply: FastifyReply, call: Call, isolation?: Isolation): unknown {
    const key = request.headers['idempotency-key'];
    return key === undefined ? call() : this.runByKey(String(key), request, reply, call, isolation);
  }

  /**
   * Calls a handler for an event, or returns the stored response to its earlier delivery.
   *
   * @param eventId the id that each delivery has
   * @throws KeyInProgressError; the handler's errors, after which nothing is stored
   */
  runEvent(
    eventId: string,
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    isolation?: Isolation,
  ): unknown {
    // The sender is the caller. A delivery may differ from the delivery before, such as by its time.
    const { method, routeOptions, params } = request;
    const id = digest(['event', method, routeOptions.url, params, eventId]);
    return this.runOnce({ id, fingerprint: '' }, request, reply, call, isolation);
  }

  /** Deletes at most `limit` responses that were stored before a date, and returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return this.responses.deleteOlder(before, limit);
  }

  private async runByKey(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    isolation?: Isolation,
  ) {
    if (!keyForm.test(key)) throw new InvalidKeyError();
    const id = digest([callerOf(request), request.method, request.routeOptions.url, key]);
    const bytes = receivedBytes(request);
    const fingerprint = digest([request.url, bytes ? hash('sha256', bytes) : request.body]);
    return this.runOnce({ id, fingerprint }, request, reply, call, isolation);
  }

  private async runOnce(
    { id, fingerprint }: Pick<IdempotencyKeyRow, 'id' | 'fingerprint'>,
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    isolation?: Isolation,
  ) {
    if (this.running.has(id)) throw new KeyInProgressError();
    this.running.add(id);
    try {
      const stored = await this.responses.find(id);
      return await (stored
        ? replay(stored, fingerprint, reply)
        : this.callAndKeep(id, fingerprint, request, reply, call, isolation));
    } finally {
      this.running.delete(id);
    }
  }

  private callAndKeep(
    id: string,
    fingerprint: string,
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    isolation?: Isolation,
  ) {
    const before = reply.getHeaders();
    return inRequestTransaction(
      request,
      this.db,
      async (db) => {
        const body = textOf(await call(), reply);
        const response = {
          id,
          fingerprint,
          responseStatus: reply.statusCode,
          responseHeaders: JSON.stringify(added(reply.getHeaders(), before)),
          responseBody: body ?? null,
          createdAt: new Date(),
        };
        const isKept = await this.responses.insert(response, db);
        // A second program has stored a response meanwhile. A retry gets it.
        if (!isKept) throw new KeyInProgressError();
        return body;
      },
      isolation,
    );
  }
}

const headersSchema = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]));

/** Sends the stored response again. @throws KeyReusedError */
function replay(stored: IdempotencyKeyRow, fingerprint: string, reply: FastifyReply): string | undefined {
  if (stored.fingerprint !== fingerprint) throw new KeyReusedError();
  void reply.code(stored.responseStatus).headers(headersSchema.parse(JSON.parse(stored.responseHeaders)));
  void reply.header('Idempotent-Replayed', 'true');
  return stored.responseBody ?? undefined;
}

/** Writes a body in the same way as the route. */
function textOf(body: unknown, reply: FastifyReply): string | undefined {
  if (body === undefined) return undefined;
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  if (!reply.hasHeader('content-type')) void reply.type(`${type}; charset=utf-8`);
  const text: unknown = typeof body === 'string' ? body : reply.serialize(body);
  if (typeof text !== 'string') throw new TypeError('the response of an idempotent route must be text');
  return text;
}

/** Returns the header fields that the handler set. */
function added(now: object, before: object): object {
  return Object.fromEntries(Object.entries(now).filter(([name]) => !(name in before)));
}

function digest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
