/** The database, as every server is given it. */
export const url = String(process.env.DATABASE_URL);
/** Its file, on SQLite. */
export const file = url.replace(/^sqlite:/, '');

/** One line of an order. */
export interface Line {
  readonly sku: string;
  readonly quantity: string;
}

/** An order, as it is sent. */
export interface OrderRecord {
  readonly id: number;
  readonly items: readonly Line[];
  readonly createdAt: Date;
}

/** An item, as it is sent. */
export interface ItemRecord {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly createdAt: Date;
}

/** A post, as it is sent. */
export interface PostRecord {
  readonly id: number;
  readonly slug: string;
  readonly authorId: number | null;
  readonly createdAt: Date;
}

type Awaitable<T> = T | Promise<T>;

/** What the five routes ask of a store. */
export interface PeerStore {
  findAccount(id: number): Awaitable<{ readonly id: number; readonly email: string } | undefined>;
  listItems(limit: number, offset: number): Awaitable<readonly ItemRecord[]>;
  /** Newest first. */
  listOrders(accountId: number, limit: number, offset: number): Awaitable<readonly OrderRecord[]>;
  insertOrder(accountId: number, items: readonly Line[]): Awaitable<OrderRecord>;
  /** @returns `undefined` if the slug is taken */
  insertPost(slug: string, authorId: number): Awaitable<PostRecord | undefined>;
}
