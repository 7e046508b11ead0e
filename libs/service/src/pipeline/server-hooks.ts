import { isStreamCheck } from '@app/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { isOwnHook, isStepForFastify, ownHook } from '../routes/own-hooks';
import type { RouteHooks } from './compiled-route';

const served = [
  'onRequest',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onRequestAbort',
] as const;
/** The pipeline has no place for these. */
const others = ['preParsing', 'preValidation', 'onTimeout', 'onError'] as const;

type HookName = (typeof served)[number] | (typeof others)[number];
const names: ReadonlySet<string> = new Set<HookName>([...served, ...others]);

/**
 * The hooks of a server, in the order in which they were added. The pipeline calls those of the program itself; with any other hook, and
 * with middleware, Fastify serves the routes that it belongs to.
 */
export class ServerHooks {
  private readonly added: { readonly name: string; readonly hook: Function }[] = [];
  private adds: 'hooks' | 'hooks of the program' | 'hooks without effect' = 'hooks';
  /** Why Fastify serves all routes; `undefined` if it does not. */
  foreign: string | undefined;

  /** Sees the hooks that are added to a server from now on; hooks of a scope belong to its routes alone. */
  watch(server: FastifyInstance): void {
    const see = (name: string, hook: Function) => this.see(name, hook);
    const addHook: Function = Reflect.get(server, 'addHook');
    for (const name of ['decorateRequest', 'decorateReply'] as const) this.watchDecorator(server, name);
    Object.assign(server, {
      addHook(this: FastifyInstance, name: string, hook: Function) {
        if (this === server) see(name, hook);
        return Reflect.apply(addHook, this, [name, hook]);
      },
    });
  }

  /** A request of the pipeline does not have what a plugin adds to Fastify's. */
  private watchDecorator(server: FastifyInstance, name: 'decorateRequest' | 'decorateReply'): void {
    const decorate: Function = server[name];
    const see = () => {
      if (this.adds === 'hooks') this.foreign ??= `a plugin calls ${name}()`;
    };
    Object.assign(server, {
      [name](this: FastifyInstance, ...given: unknown[]) {
        if (this === server) see();
        return Reflect.apply(decorate, this, given);
      },
    });
  }

  /** Notes that a server has middleware as soon as it is added. @param server with `use` */
  watchMiddleware(server: FastifyInstance): void {
    const use: unknown = Reflect.get(server, 'use');
    if (typeof use !== 'function') return;
    Object.assign(server, {
      use: (...given: unknown[]) => {
        this.foreign ??= 'the program has middleware';
        return Reflect.apply(use, server, given);
      },
    });
  }

  /** Ignores the hooks that are added meanwhile: those of Nest, which do nothing until their feature is used. */
  async ignore(meanwhile: () => Promise<void>): Promise<void> {
    this.adds = 'hooks without effect';
    await meanwhile();
    this.adds = 'hooks';
  }

  /** Takes the hooks that are added meanwhile for those of the program: each calls `done` before it returns. */
  own(meanwhile: () => void): void {
    this.adds = 'hooks of the program';
    meanwhile();
    this.adds = 'hooks';
  }

  /** Returns the hooks of a route; `undefined` if one of them is not the program's. */
  of(route: RouteOptions): RouteHooks | undefined {
    const all = (name: HookName): readonly Function[] => [
      ...this.added.filter((one) => one.name === name).map(({ hook }) => hook),
      ...[route[name] ?? []].flat(),
    ];
    const isOurs = served.flatMap(all).every((hook) => isOwnHook(hook) || isStreamCheck(hook));
    if (this.foreign !== undefined || !isOurs || others.some((name) => all(name).length > 0))
      return undefined;
    return Object(Object.fromEntries(served.map((name) => [name, all(name)])));
  }

  private see(name: string, hook: Function): void {
    if (!names.has(name) || this.adds === 'hooks without effect' || isStepForFastify(hook)) return;
    this.added.push({ name, hook: this.adds === 'hooks' ? hook : ownHook(hook) });
  }
}
