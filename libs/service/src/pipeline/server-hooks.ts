import { isResponseHook } from '@app/contract';
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
/** The hooks that the pipeline does not support. */
const others = ['preParsing', 'preValidation', 'onTimeout', 'onError'] as const;

type HookName = (typeof served)[number] | (typeof others)[number];
const names: ReadonlySet<string> = new Set<HookName>([...served, ...others]);

/**
 * The hooks of a server in the order in which they were added. The pipeline calls the program's own hooks. Fastify serves routes
 * with any further hook or with middleware.
 */
export class ServerHooks {
  private readonly added: { readonly name: string; readonly hook: Function }[] = [];
  private adds: 'hooks' | 'hooks of the program' | 'hooks without effect' = 'hooks';
  /** The reason why Fastify serves all routes; `undefined` if the pipeline serves routes. */
  foreign: string | undefined;

  /** Watches the hooks that are added to a server from now on. Hooks added in a scope belong only to its routes. */
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

  /** Watches for plugins that decorate Fastify's request or reply, because pipeline requests lack these members. */
  private watchDecorator(server: FastifyInstance, name: 'decorateRequest' | 'decorateReply'): void {
    const decorate: Function = server[name];
    const see = () => {
      if (this.adds === 'hooks') this.foreign ??= `a plugin calls ${name}()`;
    };
    Object.assign(server, {
      [name](this: FastifyInstance, ...args: unknown[]) {
        if (this === server) see();
        return Reflect.apply(decorate, this, args);
      },
    });
  }

  /** Watches for the first middleware that is added to a server. @param server a server with `use` */
  watchMiddleware(server: FastifyInstance): void {
    const use: unknown = Reflect.get(server, 'use');
    if (typeof use !== 'function') return;
    Object.assign(server, {
      use: (...args: unknown[]) => {
        this.foreign ??= 'the program has middleware';
        return Reflect.apply(use, server, args);
      },
    });
  }

  /** Runs a function and ignores the hooks that it adds. These are Nest's hooks, which do nothing until their feature is used. */
  async ignore(meanwhile: () => Promise<void>): Promise<void> {
    this.adds = 'hooks without effect';
    await meanwhile();
    this.adds = 'hooks';
  }

  /** Runs a function and treats the hooks that it adds as the program's own. Each hook must call `done` before it returns. */
  own(meanwhile: () => void): void {
    this.adds = 'hooks of the program';
    meanwhile();
    this.adds = 'hooks';
  }

  /** Returns the hooks of a route, or `undefined` if a hook belongs to a plugin. */
  of(route: RouteOptions): RouteHooks | undefined {
    const all = (name: HookName): readonly Function[] => [
      ...this.added.filter((entry) => entry.name === name).map(({ hook }) => hook),
      ...[route[name] ?? []].flat(),
    ];
    const isOurs = served.flatMap(all).every((hook) => isOwnHook(hook) || isResponseHook(hook));
    if (this.foreign !== undefined || !isOurs || others.some((name) => all(name).length > 0))
      return undefined;
    return Object(Object.fromEntries(served.map((name) => [name, all(name)])));
  }

  private see(name: string, hook: Function): void {
    if (!names.has(name) || this.adds === 'hooks without effect' || isStepForFastify(hook)) return;
    this.added.push({ name, hook: this.adds === 'hooks' ? hook : ownHook(hook) });
  }
}
