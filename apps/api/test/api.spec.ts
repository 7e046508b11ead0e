import { bootApi } from '../testing/boot-api';
import { tellApiStories } from './stories';

describe('api', () => {
  const api = bootApi();
  tellApiStories(() => api());
});

describe('api, every route left to Nest', () => {
  const api = bootApi({ routes: 'nest' });
  tellApiStories(() => api());
});
