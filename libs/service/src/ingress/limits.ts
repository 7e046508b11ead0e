/** How much of everything a caller may send, and how long that may take. */
export interface IngressLimits {
  readonly maxBodyBytes: number;
  /** Of the request line and the header fields together. */
  readonly maxHeaderBytes: number;
  /** Of one part of the path that stands for a parameter, in characters. */
  readonly maxParamLength: number;
  /** How long the header fields may take to arrive. */
  readonly headersTimeoutMs: number;
  /** How long a whole request, its body included, may take to arrive. */
  readonly requestTimeoutMs: number;
  /** How often the two limits above are looked at: a request may take this much longer. */
  readonly timeoutCheckMs: number;
  /** How long nothing may move on a connection that a request is using; longer than any handler needs. */
  readonly idleTimeoutMs: number;
  /** How long a connection may wait for its next request; longer than proxies keep theirs. */
  readonly keepAliveTimeoutMs: number;
}

export const ingressLimits: IngressLimits = Object.freeze({
  maxBodyBytes: 100 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxParamLength: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 2000,
  idleTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
});

/** Containers within containers in a body, the outermost counted. */
export const maxDepth = 32;
