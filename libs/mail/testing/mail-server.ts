import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate } from './certificate';

/** A mail that a server accepted. */
export interface ReceivedMail {
  readonly recipients: readonly string[];
  /** The header and body, as they were sent. */
  readonly source: string;
  /** Whether the mail arrived over TLS. */
  readonly isEncrypted: boolean;
  /** The signed-in user. */
  readonly user?: string;
}

/** A running SMTP server. */
export interface TestMailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** The server's behaviour from now on; default `accept`. */
  answer: 'accept' | 'defer' | 'refuse' | 'stall';
  close(): Promise<void>;
}

/** The only user. */
export const mailUser = { user: 'sluice', pass: 'a password of the mail server' } as const;

/** Starts an SMTP server on a free port, without TLS and authentication by default. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const state = { answer: 'accept' as TestMailServer['answer'] };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...certificate,
    closeTimeout: 100,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, done) =>
      username === mailUser.user && password === mailUser.pass
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => answerRecipient(state.answer, done),
    onData: (stream, { envelope, secure: isEncrypted, user }, done) => {
      let source = '';
      stream.on('data', (chunk) => (source += String(chunk)));
      stream.once('end', () => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        received.push({ recipients, source, isEncrypted, user });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((closed) => server.close(closed));
  return Object.assign(state, { port, received, close });
}

/** Trusts the certificate of the tests in this process, until the returned function is called. */
export function trustTestCertificate(): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate.cert]);
  return () => setDefaultCACertificates(before);
}

function answerRecipient(
  answer: TestMailServer['answer'],
  done: (error?: Error & { responseCode?: number }) => void,
): void {
  if (answer === 'stall') return;
  if (answer === 'accept') done();
  else
    done(
      Object.assign(new Error(answer), {
        responseCode: answer === 'defer' ? 451 : 550,
      }),
    );
}
