import { declaredRate, RateLimit } from './rate-limit';

describe('@RateLimit', () => {
  @RateLimit('100/1m')
  class Routes {
    @RateLimit('10/1m')
    few() {}

    @RateLimit('off')
    free() {}

    usual() {}
  }
  const rateOf = (name: 'few' | 'free' | 'usual') => declaredRate(Routes.prototype[name], Routes);

  it('limits a route, or every route of a class', () => {
    expect(rateOf('few')).toEqual({ limit: 10, windowSeconds: 60 });
    expect(rateOf('usual')).toEqual({ limit: 100, windowSeconds: 60 });
    expect(rateOf('free')).toBe('off');
    expect(declaredRate(() => {}, class {})).toBeUndefined();
  });

  it('takes nothing but a rate', () => {
    expect(() => RateLimit('ten')).toThrow("must be like '10/1m'");
  });
});
