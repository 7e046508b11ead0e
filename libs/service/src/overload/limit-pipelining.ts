import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The number of pipelined requests that may be in progress on a connection behind the response that is being sent. */
const maxPipelined = 16;
/** The number of response bytes that may wait for a connection's client while further requests are handled. */
const maxUnreadBytes = 256 * 1024;

type Exchange = Parameters<RequestListener>;

/** The pipelined requests on a connection. */
interface Pipeline {
  readonly inProgress: Set<ServerResponse>;
  readonly queued: Exchange[];
}

/**
 * Limits the number and the size of unread responses that a connection can make the server prepare. Further pipelined requests
 * are queued until earlier responses have been sent, and reading from the connection pauses meanwhile. Otherwise Node would
 * dispatch all requests from a read, up to a thousand small requests, and keep their responses in memory.
 *
 * A request outside a pipeline costs a single comparison.
 *
 * @param dispatch handles a request
 */
export function limitPipelining(dispatch: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  return (request, response) => {
    // Node assigns the socket to a response when the responses before it have been sent.
    if (response.socket === null)
      enqueue(pipelineOf(request.socket, pipelines), [request, response], dispatch);
    else dispatch(request, response);
  };
}

function pipelineOf(socket: Socket, pipelines: WeakMap<Socket, Pipeline>): Pipeline {
  const existing = pipelines.get(socket);
  if (existing) return existing;
  const pipeline: Pipeline = { inProgress: new Set(), queued: [] };
  pipelines.set(socket, pipeline);
  // Node resumes a connection as soon as some of its responses have been sent.
  socket.on('resume', () => {
    if (pipeline.queued.length > 0) socket.pause();
  });
  return pipeline;
}

function enqueue(pipeline: Pipeline, exchange: Exchange, dispatch: RequestListener): void {
  if (mayStart(pipeline, exchange[0].socket)) start(pipeline, exchange, dispatch);
  else {
    pipeline.queued.push(exchange);
    exchange[0].socket.pause();
  }
}

/** Returns whether a request may start. A single request always may, and the next are considered when it has been sent. */
function mayStart({ inProgress }: Pipeline, socket: Socket): boolean {
  if (inProgress.size === 0) return true;
  return inProgress.size < maxPipelined && unreadBytes(inProgress, socket) < maxUnreadBytes;
}

function unreadBytes(responses: Iterable<ServerResponse>, socket: Socket): number {
  let bytes = socket.writableLength;
  for (const response of responses) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}

function start(pipeline: Pipeline, exchange: Exchange, dispatch: RequestListener): void {
  const [{ socket }, response] = exchange;
  pipeline.inProgress.add(response);
  response.once('close', () => {
    pipeline.inProgress.delete(response);
    if (socket.destroyed) pipeline.queued.length = 0;
    startQueued(pipeline, socket, dispatch);
    if (pipeline.queued.length === 0 && !socket.destroyed) socket.resume();
  });
  dispatch(...exchange);
}

function startQueued(pipeline: Pipeline, socket: Socket, dispatch: RequestListener): void {
  while (pipeline.queued.length > 0 && mayStart(pipeline, socket)) {
    const next = pipeline.queued.shift();
    if (next) start(pipeline, next, dispatch);
  }
}
