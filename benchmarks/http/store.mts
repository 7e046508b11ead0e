/** A row of accounts: eight fields, of which two leave. */
export interface AccountRecord {
  readonly id: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: 'user' | 'admin';
  readonly firstName: string;
  readonly lastName: string;
  readonly lastLoginIp: string;
  readonly createdAt: Date;
}

/** A row of the catalogue. */
export interface ItemRecord {
  readonly id: number;
  /** Leaves masked. */
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly createdAt: Date;
}

/** One line of an order. */
export interface OrderLineRecord {
  readonly sku: string;
  readonly quantity: string;
}

/** An order with its lines. */
export interface OrderRecord {
  readonly id: number;
  readonly accountId: number;
  readonly items: readonly OrderLineRecord[];
  readonly createdAt: Date;
}

const day = new Date('2026-01-02T03:04:05.678Z');
/** Of what is written, only so much is kept: a store that grows would be measured with the rest. */
const kept = 1000;

const account: AccountRecord = {
  id: 1,
  email: 'admin@example.com',
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA',
  role: 'admin',
  firstName: 'Ada',
  lastName: 'Lovelace',
  lastLoginIp: '127.0.0.1',
  createdAt: day,
};
const items = Array.from({ length: 1000 }, (_, at) => itemAt(at + 1));
const accounts: AccountRecord[] = [];
const orders: OrderRecord[] = [];
let accountsMade = 1;
let ordersMade = 0;

/** The one store of every peer: it answers with a promise, as stores do, and has nothing to wait for. */
export const store = {
  async findAccount(id: number): Promise<AccountRecord | undefined> {
    return id === account.id ? account : undefined;
  },

  /** Passwords are kept as they are: a hash of a quarter of a second would be all that is measured. */
  async insertAccount(email: string, passwordHash: string): Promise<AccountRecord> {
    const made = { ...account, id: ++accountsMade, email, passwordHash, role: 'user' as const };
    accounts[made.id % kept] = made;
    return made;
  },

  async listItems(limit: number, offset: number): Promise<ItemRecord[]> {
    return items.slice(offset, offset + limit);
  },

  async insertOrder(accountId: number, lines: readonly OrderLineRecord[]): Promise<OrderRecord> {
    const made = { id: ++ordersMade, accountId, items: lines, createdAt: new Date() };
    orders[made.id % kept] = made;
    return made;
  },
};

/** What stands in the catalogue of every peer, wherever it keeps it. */
export function itemAt(id: number): ItemRecord {
  const number = String(id).padStart(4, '0');
  return { id, sku: `SKU-${number}-KEY`, name: `Thing ${number}`, price: 100 + id, createdAt: day };
}

/** The first and the last two characters of a key: what a listing may show of it. */
export function masked(key: string): string {
  return `${key.slice(0, 2)}***${key.slice(-2)}`;
}

/** A page of the catalogue before it is written, and the field `Link` that goes with it. */
export async function paginate(limit: number, page: number) {
  const rows = await store.listItems(limit + 1, (page - 1) * limit);
  const nextPage = rows.length > limit ? page + 1 : null;
  const next = nextPage === null ? '' : `, </items?limit=${limit}&page=${nextPage}>; rel="next"`;
  const link = `</items?limit=${limit}&page=1>; rel="first"${next}`;
  return { link, rows: rows.slice(0, limit), nextPage };
}
