import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

/** One request of every ten creates a post; it would be refused with 409 if it was sent twice. */
const postEvery = 10;

/** Sends requests by a number of connections, which stay open, until it is told to stop. */
export class Load {
  /** How many responses had the expected status. */
  answered = 0;
  /** How many posts were created. */
  created = 0;
  /** The status, or the code of the error, of every other request, with its time. */
  readonly lost: string[] = [];
  private readonly url: string;
  private readonly token: string;
  private isStopping = false;
  private readonly agent = new Agent({ keepAlive: true });
  private sent = 0;

  /** @param token of a user who may create posts */
  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** @returns stops; resolves when every request is answered */
  start(connections: number): () => Promise<void> {
    const senders = Array.from({ length: connections }, () => this.send());
    return async () => {
      this.isStopping = true;
      await Promise.all(senders);
      this.agent.destroy();
    };
  }

  private async send(): Promise<void> {
    while (!this.isStopping) {
      const at = this.sent++;
      const outcome =
        at % postEvery === 0 ? await this.post(at) : await this.exchange('GET', '/items?limit=10');
      if (outcome === 200 || outcome === 201) this.answered++;
      else this.lost.push(`${outcome} at ${new Date().toISOString()}`);
    }
  }

  private async post(at: number): Promise<number | string> {
    const outcome = await this.exchange('POST', '/posts', { slug: `drill-${at}` });
    if (outcome === 201) this.created++;
    return outcome;
  }

  private exchange(method: string, path: string, body?: object): Promise<number | string> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return new Promise((resolve) => {
      const outgoing = request(this.url + path, { method, agent: this.agent, headers });
      const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        json(response).then(() => resolve(response.statusCode ?? 0), fail);
      });
      outgoing.end(body && JSON.stringify(body));
    });
  }
}
