import { bootApi } from '../testing/boot-api';
import { tellApiStories } from './stories';

describe('api', () => {
  const api = bootApi();
  tellApiStories(() => api());
});
