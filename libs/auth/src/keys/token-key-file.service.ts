import { Logger } from '@nestjs/common';
import { WatchedKeys } from './watched-keys';
import type { AccessTokens } from '../tokens/access-tokens';
import type { SigningKey } from '../tokens/token-key';

/** Gives access tokens the keys of a file after each change, so that keys rotate without a restart. */
export class TokenKeyFile {
  private readonly logger = new Logger('TokenKeys');
  private readonly watched?: WatchedKeys;

  constructor(
    private readonly tokens: AccessTokens,
    /** The key file's path; `undefined` if the keys never change. */
    private readonly path: string | undefined,
  ) {
    if (path === undefined) return;
    this.watched = new WatchedKeys(path, {
      use: (keys) => this.use(keys),
      reject: (error) => this.logger.error(error),
    });
  }

  /** @returns after the file was read */
  async start(): Promise<void> {
    await this.watched?.start();
  }

  /** Reads the file if it was changed, as happens once a second. */
  async check(): Promise<void> {
    await this.watched?.check();
  }

  async stop(): Promise<void> {
    await this.watched?.stop();
  }

  private use(keys: readonly SigningKey[]): void {
    this.tokens.useKeys(keys);
    const names = keys.map(({ algorithm, kid }) => `${algorithm} ${kid}`);
    this.logger.log(`signing keys loaded from ${this.path}: ${names.join(', ')}; the first signs`);
  }
}
