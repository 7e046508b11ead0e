import { accountsSchemas } from '@app/accounts/testing';
import { schemaBehaves } from '@app/persistence/testing';
import { passkeysSchema } from '../testing/passkeys-schema';

schemaBehaves(passkeysSchema, accountsSchemas);
