import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** A service's log. An attack makes it large, so a check reads only the part that was written since the check began. */
export interface ServiceLog {
  /** Returns the size in bytes. */
  size(): number;
  /** Returns the text after the first `bytes`. */
  after(bytes: number): string;
}

/** The log in a file. */
export function logIn(file: string): ServiceLog {
  return {
    size: () => statSync(file).size,
    after: (bytes) => {
      const opened = openSync(file, 'r');
      try {
        const part = Buffer.alloc(Math.max(0, fstatSync(opened).size - bytes));
        return part.toString('utf8', 0, readSync(opened, part, 0, part.length, bytes));
      } finally {
        closeSync(opened);
      }
    },
  };
}
