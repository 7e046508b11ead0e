/** Where a program was told to listen. */
export interface Place {
  readonly PORT: number;
  readonly HOST: string;
}

const addressFaults: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ PORT, HOST }) =>
    `port ${PORT} of ${HOST} is in use (EADDRINUSE). ` +
    'Stop the program that has it, or set PORT to a free one, such as PORT=3001.',
  EACCES: ({ PORT, HOST }) =>
    `port ${PORT} of ${HOST} may not be opened by this user (EACCES). Set PORT to one from 1024 up.`,
  EADDRNOTAVAIL: ({ HOST }) =>
    `${HOST} is no address of this machine (EADDRNOTAVAIL). Set HOST to one that is, such as HOST=127.0.0.1.`,
  ENOTFOUND: ({ HOST }) =>
    `the host ${HOST} is not known (ENOTFOUND). Set HOST to an address of this machine, such as HOST=127.0.0.1.`,
};

/** The program may not listen where it was told to. Ends the start; the `cause` is what the system said. */
export class CannotListenError extends Error {
  override readonly name = 'CannotListenError';

  constructor(
    readonly place: Place,
    cause: unknown,
  ) {
    const { code, message } = faultOf(cause);
    super(addressFaults[code]?.(place) ?? `cannot listen: ${message}`, { cause });
  }
}

/** The built program was moved away from its manifest. Ends the start. */
export class ManifestMissingError extends Error {
  override readonly name = 'ManifestMissingError';

  constructor(readonly folder: string) {
    super(
      `There is no package.json in ${folder} or above it. Keep the built program below its package.json.`,
    );
  }
}

function faultOf(cause: unknown): { code: string; message: string } {
  const message = cause instanceof Error ? cause.message : 'for no reason that was told';
  return { code: cause instanceof Error && 'code' in cause ? String(cause.code) : '', message };
}
