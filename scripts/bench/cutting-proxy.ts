import { connect, createServer, type Socket } from 'node:net';

/** A place before a server that passes bytes on, counts them, and can cut everything at once. */
export interface CuttingProxy {
  readonly port: number;
  /** Bytes that came from clients so far. */
  sent(): number;
  /** Calls `work` once so many bytes have come from clients, counted from now. */
  once(bytes: number, work: () => void): void;
  /** Cuts every connection; new ones are passed on as before. */
  cut(): void;
  close(): void;
}

/** Starts such a place on a free port of 127.0.0.1, before a server at another port of it. */
export async function cuttingProxy(upstream: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const waiting: { readonly at: number; readonly work: () => void }[] = [];
  let sent = 0;
  const server = createServer((client) => {
    const target = connect(upstream, '127.0.0.1');
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      sent += chunk.length;
      for (const due of waiting.filter(({ at }) => at <= sent)) {
        waiting.splice(waiting.indexOf(due), 1);
        due.work();
      }
    });
    client.pipe(target);
    target.pipe(client);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    sent: () => sent,
    once: (bytes, work) => waiting.push({ at: sent + bytes, work }),
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}
