/** Nothing moved for the time that `HttpTiming` allows. */
export class StalledError extends Error {
  readonly code = 'ETIMEDOUT';
  /** Whether the connection stood. */
  readonly connected: boolean;

  constructor(milliseconds: number, connected: boolean) {
    super(`nothing moved for ${milliseconds / 1000} s`);
    this.connected = connected;
  }
}

/** The body that was to be sent could not be read; `cause` is why. */
export class BodyError extends Error {
  constructor(cause: unknown) {
    super('the body of a request cannot be read', { cause });
  }
}

/** An answer ended before the bytes that its head announced. */
export class CutError extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
}

/** A proxy could not be reached, or does not lead on. */
export class ProxyError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(proxy: URL, why: string, code: string, hint = 'check HTTP_PROXY, HTTPS_PROXY and NO_PROXY') {
    super(`the proxy ${proxy.protocol}//${proxy.host} ${why}`);
    this.code = code;
    this.hint = hint;
  }
}

/** A server redirects to a place that is not safe to go to; the message names both. */
export class RedirectError extends Error {
  readonly hint: string;

  constructor(from: URL, why: string, hint = 'check the configuration of the server and its proxy') {
    super(`${from.origin} ${why}, which is not followed`);
    this.hint = hint;
  }
}

/** Where requests failed that a server had sent elsewhere. */
const places = new WeakMap<Error, URL>();

/** Notes that a request failed at an address of another origin, to which a server had sent it. */
export function noteRedirected(error: unknown, place: URL): void {
  if (error instanceof Error) places.set(error, place);
}

/** Returns the address at which a request failed if a server had sent it to another origin. */
export function redirectedTo(error: unknown): URL | undefined {
  return error instanceof Error ? places.get(error) : undefined;
}
