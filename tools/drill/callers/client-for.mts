import http from 'node:http';
import https from 'node:https';

/** The module of Node for a URL, and what its requests and agents need: the certificates of drills are their own. */
export function clientFor(url: string) {
  const isSecure = url.startsWith('https:');
  const { request, Agent } = isSecure ? https : http;
  return { request, Agent, options: isSecure ? { rejectUnauthorized: false } : {} };
}
