/** The address on which a program is configured to listen. */
export interface ListenAddress {
  readonly PORT: number;
  readonly HOST: string;
  /** The setting that has the port; default `PORT`. */
  readonly setting?: string;
}

const messages: Readonly<Record<string, (place: ListenAddress) => string>> = {
  EADDRINUSE: ({ PORT, HOST, setting = 'PORT' }) =>
    `port ${PORT} of ${HOST} is in use (EADDRINUSE). ` +
    `Stop the program that uses it, or set ${setting} to a free one, such as ${setting}=3001.`,
  EACCES: ({ PORT, HOST, setting = 'PORT' }) =>
    `port ${PORT} of ${HOST} requires privileges (EACCES). Set ${setting} to 1024 or higher.`,
  EADDRNOTAVAIL: ({ HOST }) =>
    `${HOST} is not an address of this machine (EADDRNOTAVAIL). Set HOST to one of its addresses, such as HOST=127.0.0.1.`,
  ENOTFOUND: ({ HOST }) =>
    `the host ${HOST} cannot be resolved (ENOTFOUND). Set HOST to an address of this machine, such as HOST=127.0.0.1.`,
};

/** The program cannot listen on its address. Aborts the start; `cause` is the system's error. */
export class CannotListenError extends Error {
  override readonly name = 'CannotListenError';

  constructor(
    readonly address: ListenAddress,
    cause: unknown,
  ) {
    const { code, message } = faultOf(cause);
    super(messages[code]?.(address) ?? `cannot listen: ${message}`, { cause });
  }
}

function faultOf(cause: unknown): { code: string; message: string } {
  const message = cause instanceof Error ? cause.message : 'unknown error';
  return { code: cause instanceof Error && 'code' in cause ? String(cause.code) : '', message };
}
