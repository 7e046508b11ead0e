import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A trusted issuer. */
export interface Issuer {
  /** The value for `TRUSTED_ISSUERS`. */
  readonly setting: string;
  /** Signs an access token for a user of the issuer. The token expires after an hour. */
  sign(): Promise<string>;
  stop(): void;
}

const audience = 'sluice';

/** Starts an issuer with an ES256 key on this machine. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' };
  const server = createServer(({ url: path }, response) => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(path === '/keys' ? { keys: [key] } : metadata));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  return {
    setting: `${issuer} audience=${audience} lifetime=1h`,
    sign: () =>
      new SignJWT()
        .setProtectedHeader({ alg: key.alg, typ: 'at+jwt', kid: key.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('ada')
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: () => void server.close(),
  };
}
