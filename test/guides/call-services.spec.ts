import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Public } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { Controller, Get, Inject } from '@nestjs/common';
import { RATES_OPTIONS, RatesClient, RatesUnavailableError } from '../../docs/guides/call-services.md';
import { bootGuide } from './boot-guide';

/** The responses that the called service sends in turn; afterwards it sends none. */
const replies: [status: number, body: string][] = [];
const good = JSON.stringify({ rates: [{ currency: 'EUR', value: 1 }] });

@Controller('rates')
class RatesController {
  constructor(@Inject(RatesClient) private readonly rates: { today(): Promise<{ currency: string }[]> }) {}

  @Get()
  @Public()
  @ErrorResponses(RatesUnavailableError)
  @Returns('text')
  async read(): Promise<string> {
    return (await this.rates.today()).map(({ currency }) => currency).join();
  }
}

describe('docs/guides/call-services.md', () => {
  let service: Server;
  let requests = 0;
  const options = { url: '', timeoutMs: 60_000 };
  beforeAll(async () => {
    service = createServer((_request, response) => {
      requests++;
      const [status, body] = replies.shift() ?? [];
      if (status !== undefined) response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    options.url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    service.closeAllConnections();
    service.close();
  });
  beforeEach(() => {
    requests = 0;
    replies.length = 0;
    options.timeoutMs = 60_000;
  });
  const program = bootGuide({
    controllers: [RatesController],
    providers: [RatesClient, { provide: RATES_OPTIONS, useValue: options }],
  });

  it('repeats a call that failed', async () => {
    replies.push([500, ''], [200, good]);
    expect((await program().get('/rates')).text).toBe('EUR');
    expect(requests).toBe(2);
  });

  it('does not repeat one that is refused', async () => {
    replies.push([403, '']);
    expect((await program().get('/rates')).status).toBe(503);
    expect(requests).toBe(1);
  });

  it('refuses a response of another form', async () => {
    replies.push([200, '{"rates":[{"currency":"EUR","value":"1"}]}']);
    const { status, json, headers } = await program().get('/rates');
    expect([status, json.message, headers.get('retry-after')]).toEqual([
      503,
      'exchange rates are not available',
      '5',
    ]);
  });

  it('gives up a call without a response after its timeout', async () => {
    options.timeoutMs = 1;
    expect((await program().get('/rates')).status).toBe(503);
  });
});
