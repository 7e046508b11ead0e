import { accounts } from '@app/accounts';
import { backup } from '@app/backup';
import { emailCodes } from '@app/email-codes';
import { oidc } from '@app/oidc';
import { passkeys } from '@app/passkeys';
import { replica } from '@app/replica';
import { secondFactors } from '@app/second-factors';
import { defineProgram } from '@app/service';
import { trustedIssuers } from '@app/trusted-issuers';
import { uploads } from '@app/uploads';
import { valkey } from '@app/valkey';
import { descriptions } from './descriptions';
import { home } from './home/home.plugin';
import { items } from './items/items.resource';
import { orders } from './orders/orders.resource';
import { pictures } from './pictures/pictures.resource';
import { posts } from './posts/posts.resource';
import { teams } from './teams.plugin';

/** The definition of `api`, for its entry file, its tests, and the scripts that describe it. */
export const program = defineProgram({
  name: 'api',
  reference: {
    title: 'Sluice example API',
    introduction:
      'A shop with items, orders and posts. Clients sign users in, read what is for sale and place orders; administrators change the items.',
  },
  descriptions,
  plugins: [
    accounts({ scopes: ['items:read', 'items:write'] }),
    emailCodes(),
    secondFactors(),
    passkeys(),
    oidc(),
    trustedIssuers(),
    teams,
    uploads(),
    backup(),
    replica(),
    valkey(),
    home,
  ],
  resources: [items, orders, pictures, posts],
});
