import { createTransport } from '../../kernel/http/index.ts';

/** What was found at an address at which somebody listens. `other` is no `solpack serve`. */
export type ServeAnswer = 'ready' | 'other' | { readonly unready: string };

/** How long is waited, in milliseconds: it is on this machine. */
const timing = { idle: 5_000, pause: 250 };

/** Most bytes of an answer. */
const LIMIT = 1024 * 1024;

/**
 * Finds out whether it is a `solpack serve` that listens at an address, and whether that serves all it should. It is
 * known by its metrics, or by the realm of its passwords. Whatever certificate it shows is taken.
 */
export async function serveAt(url: URL, signal: AbortSignal): Promise<ServeAnswer> {
  const transport = createTransport(timing, { tls: async () => ({ insecure: true }) });
  const ask = async (path: string): Promise<{ status: number; text: string; realm: string }> => {
    const answer = await transport.send({ method: 'GET', url: new URL(path, url), headers: {}, signal });
    const text = new TextDecoder().decode(await answer.gather(LIMIT));
    return { status: answer.status, text, realm: answer.headers['www-authenticate'] ?? '' };
  };
  try {
    const metrics = await ask('/metrics');
    const isOurs = metrics.status === 401 ? metrics.realm.includes('realm="solpack"') : /^solpack_/m.test(metrics.text);
    if (!isOurs) return 'other';
    const { status, text } = await ask('/readyz');
    return status === 200 ? 'ready' : { unready: text.trim() };
  } catch {
    signal.throwIfAborted();
    // It speaks something else, or breaks off.
    return 'other';
  } finally {
    transport.close();
  }
}
