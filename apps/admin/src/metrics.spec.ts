import { spawnSync } from 'node:child_process';
import { bootAdmin } from '../testing/boot-admin';

/** Each line without a comment: its name and labels, and its number. */
function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('GET /metrics', () => {
  const admin = bootAdmin();
  const scrape = async () => {
    const { status, headers, text } = await (await admin.administrator()).get('/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    return { text, metrics: readMetrics(text) };
  };

  it('is for administrators', async () => {
    expect((await admin().get('/metrics')).status).toBe(401);
  });

  it('counts the requests of each route as it is declared, and unknown paths together', async () => {
    const operator = await admin.administrator();
    const before = (await scrape()).metrics;
    const { id: existing } = (await operator.get('/users?limit=1')).json.items[0];
    for (const id of [existing, existing, 999_999]) await operator.get(`/users/${id}`);
    await admin().get('/nowhere/at/all?token=x');
    await admin().send('QUERY', '/nowhere');

    const { metrics, text } = await scrape();
    const more = (name: string) => (metrics.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(more('http_requests_total{method="GET",route="/users/:id",status="200"}')).toBe(2);
    expect(more('http_requests_total{method="GET",route="/users/:id",status="404"}')).toBe(1);
    expect(more('http_request_duration_seconds_count{method="GET",route="/users/:id"}')).toBe(3);
    expect(more('http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    expect(text).not.toContain('nowhere');
  });

  it('has what the store, sign-ins and password hashing report', async () => {
    const before = (await scrape()).metrics;
    await admin().post('/auth/login', { username: admin.administratorEmail, password: 'a wrong phrase' });
    const { metrics } = await scrape();
    const more = (name: string) => (metrics.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(more('sluice_sign_ins_total{outcome="wrong-credentials"}')).toBe(1);
    expect(more('sluice_sign_ins_total{outcome="succeeded"}')).toBe(1);
    expect(more('sluice_hashing_wait_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(more('sluice_store_commit_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(more('sluice_store_wait_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(metrics.get('sluice_hashing_waiting')).toBe(0);
  });

  it('has the series that alerts expect from 0 on', async () => {
    const { metrics } = await scrape();
    expect(metrics.get('http_requests_total{method="PATCH",route="/users/:id",status="500"}')).toBe(0);
    expect(metrics.get('sluice_sign_ins_total{outcome="refused"}')).toBe(0);
    for (const cause of ['StoreUnavailableError', 'StoreFaultError', 'OverloadedError'])
      expect(metrics.get(`http_refusals_total{cause="${cause}"}`)).toBe(0);
  });

  describe.runIf(hasPromtool)('by promtool check metrics (needs promtool in the path)', () => {
    it('is without a finding', async () => {
      const { text: input } = await scrape();
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      });
      expect([status, stdout + stderr]).toEqual([0, '']);
    });
  });

  it('describes the program and its process', async () => {
    const { metrics, text } = await scrape();
    expect(text).toMatch(
      /sluice_build_info\{application="admin",version="\d+\.\d+\.\d+",node="\d+\.[\d.]+"\} 1/,
    );
    expect(metrics.get('http_requests_in_flight')).toBe(0);
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_heap_used_bytes',
    ])
      expect(metrics.get(name)).toBeGreaterThan(0);
    expect(metrics.get('nodejs_eventloop_delay_seconds{percentile="99"}')).toBeGreaterThanOrEqual(0);
    await vi.waitFor(async () => {
      expect((await scrape()).metrics.get('sluice_revocations_age_seconds')).toBeLessThan(5);
    });
  });

  it('has as many series after requests of many clients to many paths', async () => {
    const names = ({ metrics }: Awaited<ReturnType<typeof scrape>>) => [...metrics.keys()].length;
    await admin().get('/first-unknown-path');
    await scrape();
    const before = names(await scrape());
    for (let at = 0; at < 50; at += 1) await admin().get(`/unknown-${at}`);
    expect(names(await scrape())).toBe(before);
  });
});
