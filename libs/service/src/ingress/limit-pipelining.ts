import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many pipelined requests of a connection may be in progress behind the one that is being answered. */
const maxPipelined = 16;

type Exchange = readonly [IncomingMessage, ServerResponse];

/** The pipelined requests of one connection. */
interface Pipeline {
  inProgress: number;
  readonly held: Exchange[];
}

/**
 * Bounds the responses that a connection can make the server prepare without reading them: further pipelined requests are
 * held until earlier responses have been sent, and nothing more is read from the connection meanwhile. Node dispatches all
 * requests that a read returned, a thousand small ones, and keeps their responses in memory.
 *
 * Requests that are not pipelined cost one comparison.
 *
 * @param server with its `request` listeners already added
 */
export function limitPipelining(server: Server): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const listeners = server.listeners('request');
  const dispatch = (exchange: Exchange) => {
    for (const listener of listeners) Reflect.apply(listener, server, exchange);
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // Node assigns the socket to a response when the responses before it have been sent.
    if (response.socket === null)
      enqueue(pipelineOf(request.socket, pipelines), [request, response], dispatch);
    else dispatch([request, response]);
  });
}

function pipelineOf(socket: Socket, pipelines: WeakMap<Socket, Pipeline>): Pipeline {
  const pipeline = pipelines.get(socket) ?? { inProgress: 0, held: [] };
  pipelines.set(socket, pipeline);
  return pipeline;
}

function enqueue(pipeline: Pipeline, exchange: Exchange, dispatch: (exchange: Exchange) => void): void {
  if (pipeline.inProgress < maxPipelined) start(pipeline, exchange, dispatch);
  else {
    pipeline.held.push(exchange);
    exchange[0].socket.pause();
  }
}

function start(pipeline: Pipeline, exchange: Exchange, dispatch: (exchange: Exchange) => void): void {
  const [{ socket }, response] = exchange;
  pipeline.inProgress += 1;
  response.once('close', () => {
    pipeline.inProgress -= 1;
    if (socket.destroyed) pipeline.held.length = 0;
    const next = pipeline.held.shift();
    if (next) start(pipeline, next, dispatch);
    if (pipeline.held.length === 0 && !socket.destroyed) socket.resume();
  });
  dispatch(exchange);
}
