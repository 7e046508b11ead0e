import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AccountsOptions } from '../options';

/** The file with the first administrator's generated password. */
@Injectable()
export class FirstCredentials {
  private readonly folder: string | undefined;
  private readonly file: string | undefined;

  constructor(@Inject(AccountsOptions) { storeFolder }: Pick<AccountsOptions, 'storeFolder'>) {
    this.folder = storeFolder;
    this.file = storeFolder && join(storeFolder, 'first-administrator.txt');
  }

  /** Whether the program generates a password, because it has a folder for the file. */
  get areKept(): boolean {
    return this.folder !== undefined;
  }

  /** @returns the file's path; `undefined` if there is no folder */
  write(email: string, password: string): string | undefined {
    if (this.folder === undefined || this.file === undefined) return undefined;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    rmSync(this.file, { force: true });
    writeFileSync(this.file, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' });
    return this.file;
  }

  /** Returns the administrator's e-mail from the file; `undefined` if there is no file. */
  async email(): Promise<string | undefined> {
    const text = this.file && (await readFile(this.file, 'utf8').catch(() => undefined));
    return text?.split('\n', 1)[0];
  }

  /** Deletes the file if it has this account's password. Call it after the password has changed. */
  async forget(email: string): Promise<void> {
    if (this.file === undefined || (await this.email()) !== email) return;
    // A file that cannot be deleted now is deleted at the next start.
    await rm(this.file, { force: true }).catch(() => undefined);
  }
}
