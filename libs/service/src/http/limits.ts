/** The size limits and timeouts for requests. */
export interface IngressLimits {
  readonly maxBodyBytes: number;
  /** The maximum total size of the request line and the header fields. */
  readonly maxHeaderBytes: number;
  /** The maximum length of a path parameter in characters. */
  readonly maxParamLength: number;
  /** The time within which the header fields must arrive. */
  readonly headersTimeoutMs: number;
  /** The time within which the whole request, including its body, must arrive. */
  readonly requestTimeoutMs: number;
  /** The time that every body gets to arrive, whatever its size. */
  readonly uploadGraceMs: number;
  /** The number of bytes for which a body gets an additional second to arrive. */
  readonly uploadBytesPerSecond: number;
  /** The interval at which the header and request timeouts are checked. A request may take this much longer. */
  readonly timeoutCheckMs: number;
  /** The maximum socket inactivity during a request. It is longer than any handler needs. */
  readonly idleTimeoutMs: number;
  /** The idle time allowed between two requests. It is longer than the usual proxy's. */
  readonly keepAliveTimeoutMs: number;
}

export const ingressLimits: IngressLimits = Object.freeze({
  maxBodyBytes: 100 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxParamLength: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  uploadGraceMs: 10_000,
  uploadBytesPerSecond: 1024,
  timeoutCheckMs: 2000,
  idleTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
});

/** A body's maximum nesting depth. The outermost container counts as 1. */
export const maxDepth = 32;
