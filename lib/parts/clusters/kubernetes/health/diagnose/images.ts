import type { Cause } from './cause.ts';
import { briefly, plainly } from './plain-words.ts';

/** Waiting reasons of a container without its image (kubelet, `images/types.go`). */
const reasons = [
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'ImageInspectError',
  'InvalidImageName',
  'RegistryUnavailable',
  'SignatureValidationFailed',
];

/** Answers of a registry or of the network to it, and what helps. */
const answers: readonly (readonly [RegExp, string])[] = [
  [
    /connection refused|connection reset/,
    'start the registry that containerd asks there ("solpack serve", or the one named with --registry)',
  ],
  [
    /no such host|i\/o timeout|network is unreachable|no route to host|TLS handshake timeout|context deadline exceeded/,
    "containerd looks for it outside: install with --hosts-dir and containerd's config_path, so that it knows the mirror",
  ],
  [
    /server gave HTTP response to HTTPS client|x509:|tls:/,
    'the mirror in hosts.toml and the registry have to agree on http or https, and on its certificate authority',
  ],
  [
    /unauthorized|authorization failed|\b401\b|\b403\b|forbidden/i,
    'give the node credentials of that registry (imagePullSecrets), or allow pulls without',
  ],
  [
    /no match for platform/,
    "the image does not exist for the node's architecture: add that platform to [[images]] and pack again",
  ],
  [
    /not found|manifest unknown|\b404\b/i,
    'the registry that answered does not have it: correct the reference, or list the image in [[images]] of the definition and pack again',
  ],
  [/no space left/, 'make room on the disk of the node'],
];

/** Decides whether a container waits for its image. */
export function isImageReason(reason: string): boolean {
  return reasons.includes(reason);
}

/** Explains why the image `name` is missing, by the waiting reason and message of the container `who`. */
export function withoutImage(who: string, name: string, reason: string, message: string): Cause {
  const image = briefly(name);
  if (reason === 'InvalidImageName') {
    const why = /invalid reference format.*/.exec(message)?.[0] ?? plainly(message);
    return { cause: `${who} names an invalid image: ${image}: ${why}`, hint: 'correct the image reference' };
  }
  if (reason === 'ErrImageNeverPull') {
    return {
      cause: `image ${image} of ${who} is not on the node, and its imagePullPolicy is Never`,
      hint: 'set imagePullPolicy to IfNotPresent, so that it is pulled from the mirror',
    };
  }
  const plain = plainly(message);
  const text = plain.startsWith('Back-off pulling image') || plain === '' ? reason : plain;
  const said = text.startsWith(`${image}: `) ? text.slice(image.length + 2) : text;
  const hint = answers.find(([pattern]) => pattern.test(said))?.[1];
  return {
    cause: `image ${image} of ${who} cannot be pulled: ${said}`,
    hint: hint ?? 'make sure that the registry serves it, and that containerd has the mirror (--hosts-dir)',
  };
}
