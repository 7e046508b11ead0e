import { fastifyOptions } from './fastify-options';

describe('the ingress limits', () => {
  it('are those that the documentation states', () => {
    expect(fastifyOptions()).toMatchObject({
      bodyLimit: 102_400,
      requestTimeout: 30_000,
      connectionTimeout: 60_000,
      keepAliveTimeout: 72_000,
      routerOptions: { maxParamLength: 1024 },
      http: { maxHeaderSize: 16_384, headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    });
  });

  it('can be lowered, and the headers timeout never exceeds the request timeout', () => {
    expect(fastifyOptions({ requestTimeoutMs: 500 })).toMatchObject({
      requestTimeout: 500,
      http: { headersTimeout: 500 },
    });
  });
});
