/** The first administrator of every program that tests start. */
export const administrator = {
  email: 'admin@example.com',
  password: 'an administrator of tests',
} as const;

let serial = 0;

/** Returns an e-mail address that no other test uses. */
export function newEmail(name = 'user'): string {
  serial += 1;
  return `${name}.${process.pid}.${Date.now().toString(36)}.${serial}@example.com`;
}
