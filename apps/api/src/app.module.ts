import {
  AccountsModule,
  accountsOptions,
  exportPart,
  Housekeeping,
  Retentions,
  SweepLease,
} from '@app/accounts';
import { Database, PersistenceModule, persistenceOptions } from '@app/persistence';
import type { SettingsOf } from '@app/service';
import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import type { apiSettings } from './api.settings';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { resourceScopes } from './api-keys/scopes';
import { HomeController } from './home/home.controller';
import { ItemsController } from './items/items.controller';
import { ItemsStore } from './items/items.store';
import { OrdersController } from './orders/orders.controller';
import { Order } from './orders/orders.dto';
import { OrdersStore } from './orders/orders.store';
import { PicturesController } from './pictures/pictures.controller';
import { Picture } from './pictures/pictures.dto';
import { PicturesStore } from './pictures/pictures.store';
import { PostsController } from './posts/posts.controller';
import { Post } from './posts/posts.dto';
import { PostsStore } from './posts/posts.store';
import { ExportController } from './users/export.controller';
import { UsersController } from './users/users.controller';

/** Files of pictures whose account was removed, by `admin` too. */
const picturesHousekeeping: FactoryProvider = {
  provide: 'pictures housekeeping',
  inject: [Database, PicturesStore],
  useFactory: (db: Database, pictures: PicturesStore) =>
    new Housekeeping(new SweepLease(db, 'pictures'), new Retentions(db, []), [
      (limit) => pictures.removeWithoutOwner(limit),
    ]),
};

/** What resources add to `GET /users/me/export`. */
const exportParts: FactoryProvider[] = [
  exportPart(OrdersStore, {
    name: 'orders',
    as: Order,
    read: (orders, accountId, slice) => orders.listOwn(accountId, slice),
  }),
  exportPart(PostsStore, {
    name: 'posts',
    as: Post,
    read: (posts, authorId, slice) => posts.list({ ...slice, filter: { authorId } }),
  }),
  exportPart(PicturesStore, {
    name: 'pictures',
    as: Picture,
    read: (pictures, accountId, slice) => pictures.list(accountId, slice),
  }),
];

/** The root module of `api`. */
@Module({
  controllers: [
    HomeController,
    ApiKeysController,
    ExportController,
    UsersController,
    ItemsController,
    OrdersController,
    PicturesController,
    PostsController,
  ],
  providers: [ItemsStore, OrdersStore, PicturesStore, picturesHousekeeping, PostsStore, ...exportParts],
})
export class AppModule {
  static with(settings: SettingsOf<typeof apiSettings>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({ ...accountsOptions(settings, 'api'), scopes: resourceScopes }),
      ],
    };
  }
}
