import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '@app/persistence/testing';

/** The server program in the path: `valkey-server`, or else `redis-server`. */
export const valkeyProgram = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** A Valkey or Redis server that keeps no files. It runs on its own port, as a child process of the test. */
export class ValkeyServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /**
   * Starts a server on a free port.
   *
   * @param options such as `--requirepass`
   */
  static async start(...options: string[]): Promise<ValkeyServer> {
    const server = new ValkeyServer(await freePort(), options);
    await server.start();
    return server;
  }

  /** Starts the server, and returns when it accepts connections. */
  async start(): Promise<void> {
    if (valkeyProgram === undefined)
      throw new TypeError('neither valkey-server nor redis-server is installed');
    const usual = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn(valkeyProgram, [...usual, ...this.options], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { stdout } = this.child;
    if (stdout === null) throw new TypeError('its output is not piped');
    for await (const line of createInterface({ input: stdout })) {
      if (!line.includes('Ready to accept connections')) continue;
      stdout.resume();
      return;
    }
    throw new Error('the server has exited');
  }

  /** Ends the server at once. Its keys are lost. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
