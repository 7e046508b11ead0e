/** Size limits and timeouts of requests. */
export interface IngressLimits {
  readonly maxBodyBytes: number;
  /** The request line and the header fields together. */
  readonly maxHeaderBytes: number;
  /** One path parameter, in characters. */
  readonly maxParamLength: number;
  /** For the header fields to arrive. */
  readonly headersTimeoutMs: number;
  /** For the whole request, body included, to arrive. */
  readonly requestTimeoutMs: number;
  /** For a body of any size to arrive, */
  readonly uploadGraceMs: number;
  /** and one second more for each of so many bytes. */
  readonly uploadBytesPerSecond: number;
  /** Interval at which the two timeouts above are checked: a request may take this much longer. */
  readonly timeoutCheckMs: number;
  /** Socket inactivity during a request; longer than any handler needs. */
  readonly idleTimeoutMs: number;
  /** Idle time between two requests; longer than the usual proxy's. */
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

/** Nesting depth of a body; the outermost container counts as 1. */
export const maxDepth = 32;
