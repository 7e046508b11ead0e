import { AccountsModule, accountsOptions } from '@app/accounts';
import { PersistenceModule, persistenceOptions, type TableDefinition } from '@app/persistence';
import { BackupModule, type SettingsOf } from '@app/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { apiSettings } from './api.settings';
import { HomeController } from './home/home.controller';
import { ItemsController } from './items/items.controller';
import { ItemsStore } from './items/items.store';
import { itemTable } from './items/items.table';
import { OrdersController } from './orders/orders.controller';
import { ordersExport } from './orders/orders.export';
import { OrdersStore } from './orders/orders.store';
import { orderItemTable, orderTable } from './orders/orders.table';
import { PicturesController } from './pictures/pictures.controller';
import { picturesExport } from './pictures/pictures.export';
import { picturesHousekeeping } from './pictures/pictures.housekeeping';
import { PicturesStore } from './pictures/pictures.store';
import { pictureTable } from './pictures/pictures.table';
import { PostsController } from './posts/posts.controller';
import { postsExport } from './posts/posts.export';
import { PostsStore } from './posts/posts.store';
import { postTable } from './posts/posts.table';

/** The root module of `api`. */
@Module({
  controllers: [HomeController, ItemsController, OrdersController, PicturesController, PostsController],
  providers: [
    ItemsStore,
    OrdersStore,
    PicturesStore,
    PostsStore,
    picturesHousekeeping,
    ordersExport,
    postsExport,
    picturesExport,
  ],
})
export class AppModule {
  static readonly tables: readonly TableDefinition[] = [
    itemTable,
    orderTable,
    orderItemTable,
    pictureTable,
    postTable,
  ];

  static with(settings: SettingsOf<typeof apiSettings>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({
          ...accountsOptions(settings, 'api'),
          scopes: ['items:read', 'items:write'],
        }),
        BackupModule.forRoot(settings),
      ],
    };
  }
}
