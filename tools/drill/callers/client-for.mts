import http from 'node:http';
import https from 'node:https';

/** Returns the Node module for a URL, and options that accept the drills' own certificates. */
export function clientFor(url: string) {
  const isSecure = url.startsWith('https:');
  const { request, Agent } = isSecure ? https : http;
  return { request, Agent, options: isSecure ? { rejectUnauthorized: false } : {} };
}
