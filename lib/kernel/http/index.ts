/** Requests over HTTP: connections, proxies, retries, ranges, and files on servers. */

export type {
  /** An answer whose head has arrived; its body waits to be read or discarded. */
  Answer,
} from './answer.ts';
export {
  /** Returns the certificates in a text in PEM, each with its lines around it; text between them is left out. */
  certificatesIn,
} from './authorities.ts';
export {
  /** Makes the value of `Authorization` for `USER:PASSWORD` (Basic, RFC 7617). */
  basicAuthorization,
} from './basic-auth.ts';
export {
  /** Reads a `Content-Range` of bytes. */
  parseContentRange,
} from './content-range.ts';
export {
  /** Streams the file at `url` from its first byte to its last; what it holds is not checked. */
  downloadFile,
} from './download-file.ts';
export {
  /** Makes a transport whose connections are made as `settings` say. */
  createTransport,
} from './exchange.ts';
export {
  /** Says what went wrong between here and the server at `url`; undefined for errors that are not the network's. */
  networkTrouble,
  /** How messages speak of the other side. */
  type Peer,
} from './network-trouble.ts';
export {
  /** The module `http` of Node.js. */
  http,
  /** Returns the module `https` of Node.js. */
  https,
} from './node.ts';
export {
  /** From when until when a certificate is good. */
  type CertificateTerm,
  /** Returns from when until when the certificate is good that a server shows at an https:// address. */
  peerCertificate,
} from './peer-certificate.ts';
export {
  /** Returns whether a host of a URL is the machine that asks, or something on its own link. */
  isInner,
} from './private-hosts.ts';
export {
  /** The proxy that leads to an address; undefined if it is reached directly. */
  type FindProxy,
  /** Returns whether a host is this machine itself, by its name. */
  isLoopback,
  /** The proxies of the environment, by the usual names of variables. */
  type ProxySettings,
} from './proxy.ts';
export {
  /** Resolves an address that the server at `from` names, and refuses those that no honest server names. */
  hop,
  /** Which server has named an address, and how far in it may lead for that: see `Request`. */
  type NamedBy,
  /** Returns how far an address may lead that an answer has named. */
  namedBy,
} from './redirect.ts';
export {
  /** Makes `remote-unreachable` of a failure on the way, and `remote-error` of a redirect that is not followed. */
  remoteFailure,
} from './remote-failure.ts';
export type {
  /** How to reach a file by HTTP. */
  RemoteOptions,
} from './remote-file.ts';
export {
  /** What a request carries. */
  type Body,
  /** Makes a body of bytes in memory: it can be sent any number of times. */
  memoryBody,
  /** One HTTP request. */
  type Request,
  /** Makes a body of `size` bytes that can be read once. */
  streamBody,
} from './request.ts';
export {
  /** Waits before attempt `attempt + 1` (the first is 1): twice as long each time, less a random part. */
  backOff,
  /** Returns whether an answer of this status may well be another one when it is asked for again. */
  isPassingStatus,
  /** Returns whether a failed exchange may well succeed when it is tried again. */
  isTransient,
  /** The last answer of several attempts. */
  type Persisted,
  /** Makes attempts as long as the server or the network may recover. */
  persist,
  /** Which failures may pass, and how often it is tried again. */
  type RetryPolicy,
  /** Waits as long as the answer asks for, otherwise as `backOff` does. */
  waitFor,
} from './retry.ts';
export {
  /** Returns the milliseconds that `Retry-After` asks for. */
  retryAfter,
} from './retry-after.ts';
export type {
  /** How connections are made, beside what an address says. */
  ConnectionSettings,
  /** TLS settings of one host. */
  HostTls,
} from './routes.ts';
export {
  /** Sends a request, follows redirects, and tries again where the server or the network may recover. */
  sendRequest,
} from './send-request.ts';
export {
  /** Time limits, in milliseconds. */
  type HttpTiming,
  /** How long is waited where nobody says otherwise. */
  usualTiming,
} from './timing.ts';
export type {
  /** Sends single requests over kept connections. */
  Transport,
} from './transport.ts';
export {
  /** The body that was to be sent could not be read; `cause` is why. */
  BodyError,
  /** An answer ended before the bytes that its head announced. */
  CutError,
  /** A proxy could not be reached, or does not lead on. */
  ProxyError,
  /** Returns the address at which a request failed if a server had sent it to another origin. */
  redirectedTo,
  /** Nothing moved for the time that `HttpTiming` allows. */
  StalledError,
} from './transport-errors.ts';
