import type * as Http from 'node:http';
import type * as Https from 'node:https';
import type * as Tls from 'node:tls';

/**
 * The module `http` of Node.js. An import of it reads all that it exports, and its `WebSocket` brings a whole web
 * client with it, which takes several times as long to load as what is needed here. Getting the module itself avoids
 * that.
 */
export const http: typeof Http = process.getBuiltinModule('node:http');

/** Returns the module `https` of Node.js. It loads all of TLS, which plain HTTP does not need. */
export function https(): typeof Https {
  return process.getBuiltinModule('node:https');
}

/** Returns the module `tls` of Node.js. */
export function tls(): typeof Tls {
  return process.getBuiltinModule('node:tls');
}
