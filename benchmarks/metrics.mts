/**
 * Measures how much the hooks that measure requests add to a Fastify request and reply: `npm run bench -- metrics`.
 *
 * `--quick` measures a tenth of the calls. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { parseArgs } from 'node:util';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

const { measureRequests } = await import('../libs/service/src/metrics/request-metrics.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const calls = values.quick ? 500_000 : 5_000_000;
const rounds = 5;
const server = fastify();
const hooks: Hook[] = [];
const addHook = server.addHook.bind(server);
Object.assign(server, {
  addHook: (name: string, hook: Hook) => {
    if (name === 'onResponse') hooks.push(hook);
    return Reflect.apply(addHook, server, [name, hook]);
  },
});
measureRequests(server, new Registry());
server.addHook('onRoute', ({ onResponse }) => {
  const ofRoute = [onResponse ?? []].flat();
  hooks.push(...ofRoute.map((hook): Hook => hook.bind(server)));
});
const exchange = Promise.withResolvers<readonly [FastifyRequest, FastifyReply]>();
server.get('/things/:id', { exposeHeadRoute: false }, async (request, reply) => {
  exchange.resolve([request, reply]);
  return 'a thing';
});
await server.inject('/things/7');
const [request, reply] = await exchange.promise;
const done = () => undefined;
const rows: object[] = [];

for (let round = 0; round < rounds; round++) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) for (const hook of hooks) hook(request, reply, done);
  const { user, system } = process.cpuUsage(before);
  const ns = ((user + system) * 1000) / calls;
  rows.push({
    case: `round ${round + 1}`,
    subject: `${hooks.length} hooks`,
    value: ns,
    unit: 'ns of CPU a request',
  });
  if (!values.json) process.stdout.write(`${hooks.length} hooks: ${ns.toFixed(0)} ns of CPU a request\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
