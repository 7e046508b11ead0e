import { schemaBehaves } from '@app/persistence/testing';
import { accountsSchema } from './schema.providers';

schemaBehaves(accountsSchema);
