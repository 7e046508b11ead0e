import { Exclude } from 'class-transformer';
import {
  Column,
  type DataSourceOptions,
  Entity,
  ManyToOne,
  JoinColumn,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { types } from 'pg';
import { BetterSqlite3 } from './better-sqlite3.mts';
import { file, url } from './peer-store.mts';

types.setTypeParser(types.builtins.INT8, Number);
const isSqlite = url.startsWith('sqlite:');
/** The type for whole numbers. It is not `bigint`, because TypeORM turns that into strings. */
const whole = 'integer';
/** The column for creation times. Our SQLite tables store milliseconds. */
const createdAt = isSqlite
  ? {
      name: 'created_at',
      type: 'integer' as const,
      transformer: { to: (date: Date) => date.getTime(), from: (time: number) => new Date(time) },
    }
  : { name: 'created_at', type: 'timestamptz' as const };

@Entity('account')
export class Account {
  @PrimaryGeneratedColumn({ type: whole }) id!: number;
  @Column('text') email!: string;
}

@Entity('item')
export class Item {
  @PrimaryGeneratedColumn({ type: whole }) id!: number;
  @Column('text') sku!: string;
  @Column('text') name!: string;
  @Column(whole) price!: number;
  @Column(createdAt) createdAt!: Date;
}

@Entity('order')
export class Order {
  @PrimaryGeneratedColumn({ type: whole }) id!: number;
  @Exclude()
  @Column({ name: 'account_id', type: whole })
  accountId!: number;
  @OneToMany(() => OrderItem, (line) => line.order) items!: OrderItem[];
  @Column(createdAt) createdAt!: Date;
}

@Entity('order_item')
export class OrderItem {
  @Exclude()
  @PrimaryColumn({ name: 'order_id', type: whole })
  orderId!: number;
  @Exclude()
  @PrimaryColumn({ type: whole })
  position!: number;
  @Column('text') sku!: string;
  @Column('text') quantity!: string;
  @ManyToOne(() => Order, (order) => order.items)
  @JoinColumn({ name: 'order_id' })
  order?: unknown;
}

@Entity('post')
export class Post {
  @PrimaryGeneratedColumn({ type: whole }) id!: number;
  @Column('text') slug!: string;
  @Column({ name: 'author_id', type: whole }) authorId!: number;
  @Column(createdAt) createdAt!: Date;
}

export const entities = [Account, Item, Order, OrderItem, Post];

/** The connection options. SQLite is in WAL mode with `synchronous=FULL`, its default. */
export const source: DataSourceOptions = isSqlite
  ? { type: 'better-sqlite3', database: file, driver: BetterSqlite3, enableWAL: true, entities }
  : { type: 'postgres', url, entities };
