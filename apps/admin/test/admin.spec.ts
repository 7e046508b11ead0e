import { bootAdmin } from '../testing/boot-admin';
import { tellAdminStories } from './stories';

describe('admin', () => {
  const admin = bootAdmin();
  tellAdminStories(() => admin());
});

describe('admin, with all routes handled by Nest', () => {
  const admin = bootAdmin({ routes: 'nest' });
  tellAdminStories(() => admin());
});
