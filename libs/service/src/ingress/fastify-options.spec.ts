import { fastifyOptions } from './fastify-options';

describe('the limits of the door', () => {
  it('are those that the documentation promises', () => {
    expect(fastifyOptions()).toMatchObject({
      bodyLimit: 102_400,
      requestTimeout: 30_000,
      connectionTimeout: 60_000,
      keepAliveTimeout: 72_000,
      routerOptions: { maxParamLength: 1024 },
      http: { maxHeaderSize: 16_384, headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    });
  });

  it('can be made narrower, and the headers then have no longer than the whole request', () => {
    expect(fastifyOptions({ requestTimeoutMs: 500 })).toMatchObject({
      requestTimeout: 500,
      http: { headersTimeout: 500 },
    });
  });
});
