/** The URL of the database, which every server receives. */
export const url = String(process.env.DATABASE_URL);
/** The database file, on SQLite. */
export const file = url.replace(/^sqlite:/, '');

/** A line in an order. */
export interface Line {
  readonly sku: string;
  readonly quantity: string;
}

/** An order as it is sent. */
export interface OrderRecord {
  readonly id: number;
  readonly items: readonly Line[];
  readonly createdAt: Date;
}

/** An item as it is sent. */
export interface ItemRecord {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly createdAt: Date;
}

/** A post as it is sent. */
export interface PostRecord {
  readonly id: number;
  readonly slug: string;
  readonly authorId: number | null;
  readonly createdAt: Date;
}

type Awaitable<T> = T | Promise<T>;

/** The queries that the five routes send to a store. */
export interface PeerStore {
  findAccount(id: number): Awaitable<{ readonly id: number; readonly email: string } | undefined>;
  listItems(limit: number, offset: number): Awaitable<readonly ItemRecord[]>;
  /** Lists the newest orders first. */
  listOrders(accountId: number, limit: number, offset: number): Awaitable<readonly OrderRecord[]>;
  insertOrder(accountId: number, items: readonly Line[]): Awaitable<OrderRecord>;
  /** Inserts a post, or returns `undefined` if the slug is taken. */
  insertPost(slug: string, authorId: number): Awaitable<PostRecord | undefined>;
}
