import { accountsSchemas } from '@app/accounts/testing';
import { schemaBehaves } from '@app/persistence/testing';
import { organizationsSchema } from '../testing/organizations-schema';

schemaBehaves(organizationsSchema, accountsSchemas);
