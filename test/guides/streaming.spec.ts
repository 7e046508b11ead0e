import { Arrivals, ArrivalsController, ReadingsController } from '../../docs/guides/streaming.md';
import { bootGuide } from './boot-guide';

const roof = { sensor: 'roof', celsius: -4, secret: 's1' };

describe('docs/guides/streaming.md', () => {
  const program = bootGuide({ controllers: [ReadingsController, ArrivalsController], providers: [Arrivals] });

  it('streams rows without the fields that their class does not expose', async () => {
    const reply = await (await program.administrator()).get('/readings/export');
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson');
    expect(reply.text).toBe('{"sensor":"roof","celsius":-4}\n{"sensor":"hall","celsius":21}\n');
    expect((await program().get('/readings/export')).status).toBe(401);
  });

  it('sends events until the program is closed', async () => {
    const response = await fetch(`${program().url}/readings/events`, {
      headers: { authorization: `Bearer ${await program.tokenOf({})}` },
    });
    const chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toBe(': connected\n\n');
    program.app().get(Arrivals).emit('reading', roof);
    expect((await chunks.next()).value).toBe('event: reading\ndata: {"sensor":"roof","celsius":-4}\n\n');
    await program.app().close();
    expect(await chunks.next()).toMatchObject({ done: true });
  });
});
