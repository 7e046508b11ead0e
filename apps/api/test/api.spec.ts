import { bootApi } from '../testing/boot-api';
import { tellApiStories } from './stories';

describe('api', () => {
  const api = bootApi();
  tellApiStories(() => api());
});

describe('api, with all routes handled by Nest', () => {
  const api = bootApi({ routes: 'nest' });
  tellApiStories(() => api());
});
