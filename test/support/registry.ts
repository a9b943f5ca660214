import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { stringify } from 'yaml';
import { memory, slice } from '../../formats/bytes.ts';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../formats/oci/manifest.ts';
import type { ContentSource } from '../../lib/kernel/content/model.ts';
import type { S3Store } from '../../scripts/bench/s3.ts';
import { type Running, running } from './cli.ts';
import { find, ok } from './judges.ts';

/** The one user of a registry with passwords; the password needs every kind of quoting. */
export const user = { username: 'ada', password: 'a: "b", c' } as const;
const passwordHash = '$2y$05$abcdefghijklmnopqrstuu9RAB0dby0iEjzDttXO2eSV7anZMwBmO';

/** Makes a P-256 key and a certificate of its own for it, both PEM; `more` goes to `openssl req`. */
export async function selfSigned(key: string, certificate: string, more: readonly string[]): Promise<void> {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  await ok('openssl', ['req', '-x509', '-nodes', ...curve, '-keyout', key, '-out', certificate, '-days', '2', ...more]);
}

export interface DockerRegistryOptions {
  /** Which release: Debian's docker-registry, which is Distribution 2, or `registry`, which is Distribution 3. */
  readonly program?: 'docker-registry' | 'registry';
  /** Asks for `user` by Basic authentication. */
  readonly htpasswd?: boolean;
  /** Serves TLS with these PEM files. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly clientcas?: readonly string[] };
  /** The `auth.token` section of its configuration. */
  readonly token?: Readonly<Record<string, string>>;
  /** Whether it can only be read. */
  readonly readOnly?: boolean;
  /** Where it keeps everything instead of on the disk; it sends readers of blobs there, by signed addresses. */
  readonly s3?: () => Promise<S3Store>;
  /** Whether it sends readers of blobs to where these are stored. Left out: as Distribution does by itself. */
  readonly redirects?: boolean;
  /** The room on its disk, in bytes; it is one of its own, in memory. */
  readonly room?: number;
}

/** A running docker-registry. */
export interface DockerRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly url: string;
  /** The folder in which it keeps everything; with `room`, others do not see what is in it. */
  readonly data: string;
  stop(): Promise<void>;
  /** Kills it without a word, lets `meanwhile` pass, and starts it again where it was, with what it has. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * Gives a function that starts docker-registry on a free port when it is first called, with its files below
 * `folder`; it is stopped after the tests of the file. Call it at the top level of a test file.
 */
export function dockerRegistry(folder: string, options: DockerRegistryOptions = {}): () => Promise<DockerRegistry> {
  let running: Promise<DockerRegistry> | undefined;
  afterAll(async () => (await running)?.stop());
  return () => {
    running ??= startRegistry(mkdtempSync(join(folder, 'registry-')), options);
    return running;
  };
}

async function startRegistry(folder: string, options: DockerRegistryOptions): Promise<DockerRegistry> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const s3 = await options.s3?.();
  const storage = s3 ? { s3: s3.settings } : { filesystem: { rootdirectory: data } };
  const begun = (at: string): ChildProcess => begin(folder, data, { ...options, storage }, at);
  let child = begun('0');
  const port = await listening(child);
  const gone = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((settle) => {
      if (child.exitCode !== null || child.signalCode !== null) return settle();
      child.once('close', () => settle());
      child.kill(signal);
    });
  return {
    host: `127.0.0.1:${port}`,
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    data,
    stop: () => gone('SIGTERM'),
    restart: async (meanwhile) => {
      await gone('SIGKILL');
      await meanwhile?.();
      child = begun(port);
      await listening(child);
    },
  };
}

/** Starts docker-registry at a port of 127.0.0.1; 0 is any that is free. */
function begin(
  folder: string,
  data: string,
  options: DockerRegistryOptions & { readonly storage: object },
  port: string,
): ChildProcess {
  const { htpasswd, tls, token, room, storage, redirects = true, readOnly = false } = options;
  const passwords = join(folder, 'htpasswd');
  writeFileSync(passwords, `${user.username}:${passwordHash}\n`);
  const config = join(folder, 'config.yml');
  const auth = htpasswd ? { htpasswd: { realm: 'a, "quoted" realm', path: passwords } } : token ? { token } : undefined;
  const settings = {
    version: 0.1,
    log: { level: 'info', accesslog: { disabled: true } },
    storage: {
      ...storage,
      ...(redirects ? {} : { redirect: { disable: true } }),
      maintenance: { uploadpurging: { enabled: false }, readonly: { enabled: readOnly } },
    },
    http: { addr: `127.0.0.1:${port}`, ...(tls ? { tls } : {}) },
    ...(auth ? { auth } : {}),
  };
  writeFileSync(config, stringify(settings));
  const name = options.program ?? 'docker-registry';
  const program = [find(name) ?? name, 'serve', config];
  // A mount namespace of its own, which goes with it.
  const mounting = `mount -t tmpfs -o size=${room} tmpfs "$0" && exec "$@"`;
  const [first, ...rest] = room === undefined ? program : ['unshare', '-rm', 'sh', '-c', mounting, data, ...program];
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none' };
  return spawn(first!, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Starts a registry in memory that lists referrers by itself; it is the judge `referrers-registry`. */
export function referrersRegistry(): Promise<Running> {
  const program = 'referrers-registry';
  const child = spawn(find(program) ?? program, ['127.0.0.1:0']);
  return running(child, [program], (signal) => child.kill(signal));
}

/** The port that docker-registry says it listens on. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((settle, reject) => {
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      // What comes after is read and dropped, so that the pipe never fills.
      if (said.length < 100_000) said += chunk;
      const port = /listening on 127\.0\.0\.1:([0-9]+)/.exec(said)?.[1];
      if (port) settle(port);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`docker-registry ended with ${code}:\n${said}`)));
  });
}

/** An image of two platforms, in memory, with what its root reaches. */
export interface SampleImage extends ContentSource {
  readonly root: Descriptor;
  readonly blobs: ReadonlyMap<Digest, { readonly descriptor: Descriptor; readonly bytes: Uint8Array }>;
  /** A layer's descriptor. */
  readonly layer: Descriptor;
  bytesOf(descriptor: Descriptor): Uint8Array;
}

/**
 * Makes an image whose layers, two a platform and one of them shared, have about `layerSize` bytes; equal `seed`, equal
 * bytes.
 */
export function sampleImage(seed: string, layerSize = 100_000): SampleImage {
  const blobs = new Map<Digest, { descriptor: Descriptor; bytes: Uint8Array }>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const descriptor = { mediaType, digest: sha256(bytes), size: bytes.length };
    blobs.set(descriptor.digest, { descriptor, bytes });
    return descriptor;
  };
  const layers = ['shared', 'amd64', 'arm64'].map((name) => noise(`${seed} ${name}`, layerSize));
  const image = (architecture: string, own: Uint8Array): Descriptor => {
    const parts = [layers[0]!, own];
    const config = add(
      mediaTypes.config,
      encodeJson({
        architecture,
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: parts.map((part) => sha256(part)) },
      }),
    );
    const stored = parts.map((part) => add(mediaTypes.layerGzip, gzipSync(part, { level: 0 })));
    const manifest = add(mediaTypes.manifest, encodeManifest({ config, layers: stored }));
    return { ...manifest, platform: { os: 'linux', architecture } };
  };
  const manifests = [image('amd64', layers[1]!), image('arm64', layers[2]!)];
  const root = add(mediaTypes.index, encodeIndex({ manifests, annotations: { seed } }));
  const bytesOf = ({ digest }: Descriptor): Uint8Array => {
    const known = blobs.get(digest);
    if (!known) throw new Error(`${digest} is not in the sample image`);
    return known.bytes;
  };
  const layer = [...blobs.values()].find(({ descriptor }) => descriptor.mediaType === mediaTypes.layerGzip)!.descriptor;
  return {
    name: `sample ${seed}`,
    root,
    blobs,
    layer,
    bytesOf,
    open: (descriptor, { offset = 0 } = {}) => slice(memory(bytesOf(descriptor)), offset, descriptor.size - offset),
  };
}

/** Bytes that do not compress, the same ones for the same seed. */
export function noise(seed: string, size: number): Uint8Array {
  return createHash('shake256', { outputLength: size }).update(seed).digest();
}
