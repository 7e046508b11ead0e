import { BigIntType, Collection, DateTimeType, PrimaryKeyProp, type Rel } from '@mikro-orm/core';
import { Entity, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { MikroOrmModuleSyncOptions } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { NodeSqliteDialect, SqliteDriver } from '@mikro-orm/sql';
import { file, url } from './peer-store.mts';

const isSqlite = url.startsWith('sqlite:');
/** The type for whole numbers, which is a number in the program and `bigint` in PostgreSQL. */
const whole = isSqlite ? 'integer' : new BigIntType('number');
const createdAt = { type: DateTimeType };

@Entity({ tableName: 'account' })
export class Account {
  @PrimaryKey({ type: whole }) id!: number;
  @Property({ type: 'text' }) email!: string;
}

@Entity({ tableName: 'item' })
export class Item {
  @PrimaryKey({ type: whole }) id!: number;
  @Property({ type: 'text' }) sku!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: whole }) price!: number;
  @Property(createdAt) createdAt!: Date;
}

@Entity({ tableName: 'order' })
export class Order {
  @PrimaryKey({ type: whole }) id!: number;
  @Property({ type: whole, hidden: true }) accountId!: number;
  @Property(createdAt) createdAt!: Date;
  @OneToMany(() => OrderItem, (line) => line.order, { orderBy: { position: 'asc' } })
  items = new Collection<OrderItem>(this);
}

@Entity({ tableName: 'order_item' })
export class OrderItem {
  [PrimaryKeyProp]?: ['order', 'position'];
  @ManyToOne(() => Order, { primary: true, hidden: true }) order!: Rel<Order>;
  @PrimaryKey({ type: whole, hidden: true }) position!: number;
  @Property({ type: 'text' }) sku!: string;
  @Property({ type: 'text' }) quantity!: string;
}

@Entity({ tableName: 'post' })
export class Post {
  @PrimaryKey({ type: whole }) id!: number;
  @Property({ type: 'text' }) slug!: string;
  @Property({ type: whole }) authorId!: number;
  @Property(createdAt) createdAt!: Date;
}

const entities = [Account, Item, Order, OrderItem, Post];

/** The connection options. The SQLite file is already in WAL mode, and `synchronous=FULL` is its default. */
export const options: MikroOrmModuleSyncOptions = isSqlite
  ? { entities, driver: SqliteDriver, dbName: file, driverOptions: new NodeSqliteDialect(file) }
  : { entities, driver: PostgreSqlDriver, clientUrl: url };
