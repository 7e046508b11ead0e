import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from './callers/callers.mts';
import { freePort } from './programs/free-port.mts';

const pollMs = 300;
const startDeadlineMs = 30_000;

/** A Prometheus server with the deployed rules, which reads a program's metrics every second. */
export interface Observer {
  /** Waits until the program has been read once, because an alert about an increase needs an earlier number. */
  readonly untilRead: () => Promise<void>;
  /** Waits until the expressions of all these alerts have been true. Returns the inactive alerts at the deadline. */
  readonly untilSeen: (alerts: readonly string[], deadlineMs: number) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** Whether the path has Prometheus. */
export function hasPrometheus(): boolean {
  return spawnSync('prometheus', ['--version']).status === 0;
}

/** Starts it. An alert counts as soon as its expression is true: how long it must stay so, `promtool test rules` checks. */
export async function startObserver(metricsPort: number): Promise<Observer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-observer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'prometheus.yml'), configurationOf(metricsPort));
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const seen = new Set<string>();
  const api = `http://127.0.0.1:${port}/api/v1`;
  let isRead = false;
  const look = async () => {
    const { status, body } = await call(`${api}/alerts`);
    for (const { labels } of body.data?.alerts ?? []) seen.add(labels.alertname);
    return status === 200;
  };
  const deadline = performance.now() + startDeadlineMs;
  while (!(await look()) && performance.now() < deadline) await pause(pollMs);
  const polling = setInterval(() => void look(), pollMs);
  return {
    untilRead: async () => {
      const last = performance.now() + startDeadlineMs;
      while (!isRead && performance.now() < last) {
        const { body } = await call(`${api}/query?query=${encodeURIComponent('up == 1')}`);
        isRead = (body.data?.result ?? []).length > 0;
        if (!isRead) await pause(pollMs);
      }
    },
    untilSeen: async (alerts, deadlineMs) => {
      const last = performance.now() + deadlineMs;
      while (alerts.some((name) => !seen.has(name)) && performance.now() < last) await pause(pollMs);
      return alerts.filter((name) => !seen.has(name));
    },
    stop: async () => {
      clearInterval(polling);
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configurationOf(metricsPort: number): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(import.meta.dirname, '../../deploy/observe/alerts.yml')],
    scrape_configs: [{ job_name: 'sluice', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  });
}
