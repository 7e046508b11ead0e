import { bootAdmin } from '../testing/boot-admin';
import { tellAdminStories } from './stories';

describe('admin', () => {
  const admin = bootAdmin();
  tellAdminStories(() => admin());
});
