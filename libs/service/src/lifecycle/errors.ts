/** Where a program is configured to listen. */
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

/** No `package.json` was found above the built program. Aborts the start. */
export class ManifestMissingError extends Error {
  override readonly name = 'ManifestMissingError';

  constructor(readonly folder: string) {
    super(
      `There is no package.json in ${folder} or above it. Keep the built program below its package.json.`,
    );
  }
}

/** A Fastify plugin registers a route that anyone could call. Aborts the start. */
export class OpenRouteError extends Error {
  override readonly name = 'OpenRouteError';

  /** @param route such as `GET /metrics` */
  constructor(readonly route: string) {
    super(
      `A plugin registers ${route}, which no guard protects. ` +
        'Write it as a controller, or give it config: { isPublic: true } if anyone may call it.',
    );
  }
}

function faultOf(cause: unknown): { code: string; message: string } {
  const message = cause instanceof Error ? cause.message : 'unknown error';
  return { code: cause instanceof Error && 'code' in cause ? String(cause.code) : '', message };
}
