import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server for a drill, without TLS, which defers every mail at first. @see RFC 5321 */
export class MailServer {
  isDeferring = true;
  /** The number of mails that the server has deferred. */
  deferred = 0;
  /** The recipients of accepted mails. */
  readonly recipients = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => void this.serve(socket));
  url = '';

  static async start(): Promise<MailServer> {
    const mails = new MailServer();
    mails.server.listen(0, '127.0.0.1');
    await once(mails.server, 'listening');
    const address = mails.server.address();
    mails.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    return mails;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
    socket.write('220 drill\r\n');
    let [recipient, isText] = ['', false];
    for await (const line of createInterface({ input: socket })) {
      const [command = ''] = line.toUpperCase().split(/[ :]/);
      if (isText && line !== '.') continue;
      if (isText) this.recipients.add(recipient);
      isText = command === 'DATA';
      if (command === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
      socket.write(`${this.replyTo(command)}\r\n`);
      if (command === 'QUIT') socket.end();
    }
  }

  private replyTo(command: string): string {
    if (command === 'RCPT' && this.isDeferring) {
      this.deferred += 1;
      return '451 try again later';
    }
    if (command === 'DATA') return '354 go on';
    return command === 'QUIT' ? '221 bye' : '250 ok';
  }
}
