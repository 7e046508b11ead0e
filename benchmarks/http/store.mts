/** An account row with eight fields. Two of the fields are sent. */
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

/** A catalogue row. */
export interface ItemRecord {
  readonly id: number;
  /** The stock keeping unit. It is sent masked. */
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly createdAt: Date;
}

/** A line in an order. */
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
/** The number of rows to keep, because a growing store would affect the measurement. */
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

/** The store of every peer. It returns promises like a real store, and resolves them at once. */
export const store = {
  async findAccount(id: number): Promise<AccountRecord | undefined> {
    return id === account.id ? account : undefined;
  },

  /** Inserts an account. Passwords are not hashed, because a hash takes a quarter second and would dominate the measurement. */
  async insertAccount(email: string, passwordHash: string): Promise<AccountRecord> {
    const record = { ...account, id: ++accountsMade, email, passwordHash, role: 'user' as const };
    accounts[record.id % kept] = record;
    return record;
  },

  async listItems(limit: number, offset: number): Promise<ItemRecord[]> {
    return items.slice(offset, offset + limit);
  },

  async insertOrder(accountId: number, lines: readonly OrderLineRecord[]): Promise<OrderRecord> {
    const record = { id: ++ordersMade, accountId, items: lines, createdAt: new Date() };
    orders[record.id % kept] = record;
    return record;
  },
};

/** Returns an item in the catalogue of every peer. */
export function itemAt(id: number): ItemRecord {
  const number = String(id).padStart(4, '0');
  return { id, sku: `SKU-${number}-KEY`, name: `Thing ${number}`, price: 100 + id, createdAt: day };
}

/** Masks a key apart from its first and last two characters. */
export function masked(key: string): string {
  return `${key.slice(0, 2)}***${key.slice(-2)}`;
}

/** Returns a catalogue page and its `Link` header. */
export async function paginate(limit: number, page: number) {
  const rows = await store.listItems(limit + 1, (page - 1) * limit);
  const nextPage = rows.length > limit ? page + 1 : null;
  const next = nextPage === null ? '' : `, </items?limit=${limit}&page=${nextPage}>; rel="next"`;
  const link = `</items?limit=${limit}&page=1>; rel="first"${next}`;
  return { link, rows: rows.slice(0, limit), nextPage };
}
