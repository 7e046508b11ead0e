import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The log of a service, which an attack makes large: a check reads what was written since it began. */
export interface ServiceLog {
  /** In bytes. */
  size(): number;
  /** What was written after the first `bytes`. */
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
