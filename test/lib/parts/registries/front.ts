import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256, verified } from '../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import type { RegistryOptions, Repository } from '../../../../lib/parts/registries/index.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { sampleImage } from '../../../support/registry.ts';

/** Answers a request; `count` is its number, from 1. */
export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;
/** A registry that behaves as the test says; `count` is the number of the request, from 1. */
export async function front(handler: Handler): Promise<{ host: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    void handler(request, response, seen.length);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Opens `team/web` there, with short waits. */
export async function connect(host: string, options: RegistryOptions = {}): Promise<Repository> {
  const timing = { idle: 5000, answer: 5000, pause: 1, ...options.timing };
  const target = { scheme: 'http', registry: host, repository: 'team/web' } as const;
  const repository = await openRepository(target, { ...options, timing });
  onTestFinished(() => repository.close());
  return repository;
}

/** The image that the tests ask for, and its root's bytes. */
export const image = sampleImage('http', 1000);
export const manifest = image.bytesOf(image.root);
/** Credentials with a password that must not show up. */
export const user = async (): Promise<{ username: string; password: string }> => ({
  username: 'ada',
  password: 'letmein123',
});

/** Answers with a manifest as registries do. */
export function sendManifest(response: ServerResponse, body: Uint8Array = manifest): void {
  const headers = { 'content-type': mediaTypes.index, 'docker-content-digest': sha256(body) };
  response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
}

/** The descriptor of bytes. */
export function blob(bytes: Uint8Array): Descriptor {
  return { mediaType: 'application/octet-stream', digest: sha256(bytes), size: bytes.length };
}

/** Reads content whole, and checked. */
export function read(repository: Repository, descriptor: Descriptor): Promise<Uint8Array> {
  return collect(verified(repository.open(descriptor), descriptor), descriptor.size);
}
