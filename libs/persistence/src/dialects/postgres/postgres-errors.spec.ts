import { isConnectionLost, isWorthRetrying, translatePostgresError } from './postgres-errors';

describe('an error of PostgreSQL or of pg', () => {
  it.each([
    ['23505', 'UniqueViolationError'],
    ['23503', 'ForeignKeyViolationError'],
    ['23001', 'ForeignKeyViolationError'],
    ['22021', 'UnstorableTextError'],
    ['22P05', 'UnstorableTextError'],
    ['08006', 'StoreUnavailableError'],
    ['28P01', 'StoreUnavailableError'],
    ['3D000', 'StoreUnavailableError'],
    ['25006', 'StoreUnavailableError'],
    ['53100', 'StoreUnavailableError'],
    ['53300', 'StoreUnavailableError'],
    ['57014', 'StoreUnavailableError'],
    ['57P01', 'StoreUnavailableError'],
    ['57P03', 'StoreUnavailableError'],
    ['58030', 'StoreUnavailableError'],
    ['ECONNREFUSED', 'StoreUnavailableError'],
    ['ECONNRESET', 'StoreUnavailableError'],
    ['ENOTFOUND', 'StoreUnavailableError'],
    ['ETIMEDOUT', 'StoreUnavailableError'],
  ])('with the code %s is a %s', (code, name) => {
    expect(translatePostgresError(coded(code))).toMatchObject({ name });
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('with the message "%s" is a lost connection', (message) => {
    expect(isConnectionLost(new Error(message))).toBe(true);
    expect(translatePostgresError(new Error(message))).toMatchObject({ name: 'StoreUnavailableError' });
  });

  it.each([
    ['', 'The server does not support SSL connections', 'sslmode=disable'],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "a", no encryption', 'sslmode=verify-full'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'sslrootcert=FILE'],
    ['53300', 'sorry, too many clients already', 'DATABASE_POOL_SIZE'],
  ])('with the code %j and the message %j names what to set', (code, text, remedy) => {
    const error = Object.assign(new Error(text), { code });
    expect(translatePostgresError(error)).toMatchObject({ message: expect.stringContaining(remedy) });
  });

  it.each(['42601', '23514', 'ERR_INVALID_URL', '08'])(
    'with the code %s is returned unchanged, without the values of the row',
    (code) => {
      const error = Object.assign(coded(code), { detail: 'Failing row contains (SECRET).' });

      expect(translatePostgresError(error)).toBe(error);
      expect(error.detail).toBeUndefined();
    },
  );

  it('is retried after a serialization failure or a deadlock', () => {
    expect(['40001', '40P01', '23505', '57P01'].map((code) => isWorthRetrying(coded(code)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

function coded(code: string): Error & { detail?: string } {
  return Object.assign(new Error(`an error with the code ${code}`), { code });
}
