import { existsSync } from 'node:fs';

/** Where Debian installs it, by processor. */
const library = ['x86_64', 'aarch64']
  .map((processor) => `/usr/lib/${processor}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** The environment of a program whose wall clock is changed by a file, such as `-2h`; its monotonic clock is not. */
export function fakeTime(file: string): Record<string, string> {
  return {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** @returns what is missing for it, as the rest of `needs …` */
export function lacksFakeTime(): string | undefined {
  return library === undefined ? 'libfaketime, for example by apt-get install faketime' : undefined;
}
