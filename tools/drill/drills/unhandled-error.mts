import { call, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { execute } from '../environment/from-outside.mts';
import { Watch } from '../callers/watch.mts';

export const unhandledError: Drill = {
  name: 'unhandled-error',
  action: 'renames a table behind the back of the program, so that it meets an error that it does not know',
  expectation:
    'the response is a 500 without any detail, and its request id is in a line `unhandled error` of the log; other routes are answered',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceErrors'],
  run: async ({ start, url, subject, table, store, either }) => {
    const program = await start();
    const token = await signIn(url);
    await execute(store.url, `alter table "${table.name}" rename to "${table.name}_away"`);
    const failing = new Watch(url + subject.list, token);
    const others = new Watch(url + table.other, token);
    const requests = either(40, 20);
    await Promise.all([failing.until(requests), others.until(requests)]);
    await Promise.all([failing.stop(), others.stop()]);
    await execute(store.url, `alter table "${table.name}_away" rename to "${table.name}"`);
    const recoveredMs = await untilAnswered(() => call(url + subject.list, { token }), 5000);
    const bodies = failing.replies.map(({ body }) => JSON.stringify(body));
    const logged = program
      .log()
      .split('\n')
      .filter((line) => line.includes('"unhandled error"'));
    const ids = failing.replies.map(({ headers }) => headers['x-request-id'] ?? 'none');
    return finding(
      {
        'requests that met it': failing.replies.length,
        'a response': bodies[0] ?? 'none',
        'lines in the log': logged.length,
        'other requests': others.replies.length,
        'recovered after, ms': recoveredMs,
      },
      {
        'each is a 500': failing.replies.every(({ status }) => status === 500),
        'no response has a detail': bodies.every((body) => !/table|relation|select|stack/i.test(body)),
        'each is in the log by its request id': ids.every((id) =>
          logged.some((line) => line.includes(String(id))),
        ),
        'other routes are answered': others.failed === 0,
        'the route is answered once the table is back': Number.isFinite(recoveredMs),
      },
    );
  },
};
