import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administrator } from '../callers/callers.mts';
import { type Contract, required, type Subject, type Table } from '../callers/contract.mts';
import { freePort } from '../programs/free-port.mts';
import { type DrillProgram, startProgram } from '../programs/program.mts';
import { onSmallDisk } from './small-disk.mts';
import { type DrillStore, openStore, type StoreName } from './stores.mts';

/** A program that a drill starts. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The program's port. The default is the first program's port. */
  readonly port?: number;
  readonly launcher?: readonly string[];
}

/**
 * The environment for a drill: a store, a folder, and programs that stop after the drill. Reading a part that the application
 * lacks throws `Lacking`.
 */
export interface DrillEnvironment {
  /** The `main.js` of the application. */
  readonly main: string;
  readonly folder: string;
  readonly store: DrillStore;
  /** The URL at which the first program answers, whenever it runs. */
  readonly url: string;
  /** The path prefix of every program. */
  readonly prefix: string;
  readonly newUser: () => object;
  readonly subject: Subject;
  readonly table: Table;
  /** The port for the first program's metrics. */
  readonly metricsPort: number;
  /** Returns the first value, or the second value with `--quick`. */
  readonly either: (whole: number, quick: number) => number;
  readonly start: (options?: StartOptions) => Promise<DrillProgram>;
  /** Closes the environment. @param isKept whether the folder with the program logs stays */
  readonly close: (isKept: boolean) => Promise<void>;
}

/** The options for an environment. */
export interface EnvironmentOptions {
  /** The `main.js` of the application. */
  readonly main: string;
  readonly isQuick: boolean;
  readonly contract: Contract;
  /** The size of the separate store disk. The default is the machine's disk. */
  readonly disk?: Readonly<Record<StoreName, string>>;
}

/** Opens the environment for a drill. */
export async function openEnvironment(
  storeName: StoreName,
  { main, isQuick, contract, disk }: EnvironmentOptions,
): Promise<DrillEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-drill-'));
  const store = await openStore(storeName, folder, disk?.postgres);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const programs: DrillProgram[] = [];
  // The folder of a program on a small disk is that disk; its log is not.
  const ofDisk = disk && storeName === 'sqlite' ? onSmallDisk(folder, disk.sqlite) : [];
  const start = async ({ env = {}, port: own = port, launcher = ofDisk }: StartOptions = {}) => {
    const metrics: Record<string, string> = own === port ? { METRICS_PORT: String(metricsPort) } : {};
    const program = await startProgram({
      file: main,
      cwd: folder,
      logFile: join(folder, `${own}.log`),
      env: { ...environment, DATABASE_URL: store.url, PORT: String(own), ...metrics, ...env },
      launcher,
    });
    programs.push(program);
    return program;
  };
  const close = async (isKept: boolean) => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await store.stop();
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  };
  const { prefix } = contract;
  const url = `http://127.0.0.1:${port}${prefix}`;
  const either = (whole: number, quick: number) => (isQuick ? quick : whole);
  return {
    main,
    folder,
    store,
    url,
    prefix,
    metricsPort,
    either,
    start,
    close,
    get newUser() {
      return required(contract.newUser);
    },
    get subject() {
      return required(contract.subject);
    },
    get table() {
      return required(contract.table);
    },
  };
}

/** The settings. The delay limit is off, because a starting program takes CPU time from programs on a small machine. */
const environment = {
  JWT_SECRET: 'a secret of the drill, made for one run alone',
  ADMIN_EMAIL: administrator.username,
  ADMIN_PASSWORD: administrator.password,
  ACCESS_TOKEN_TTL: '1h',
  MAX_DELAY: 'off',
  TRUST_PROXY: 'loopback',
  NODE_ENV: 'production',
  DRAIN_DELAY: '0s',
};
