import { oneLine } from '../../server/index.ts';

/** What components wrap around a message as they pass it on, and what tells a user nothing. */
const wrappings = [
  /^\(combined from similar events\): /,
  /^Error creating: /,
  /^Create Pod \S+ in StatefulSet \S+ failed error: /,
  /^Back-off pulling image "[^"]*": /,
  /^(?:ErrImagePull|ImagePullBackOff|InvalidImageName|ImageInspectError|RegistryUnavailable): /,
  /^rpc error: code = \w+ desc = /,
  /^failed to pull and unpack image "[^"]*": /,
  /^failed to resolve reference "[^"]*": /,
  /^failed to do request: /,
  /^failed to create containerd task: /,
  /^failed to create shim task: /,
  /^OCI runtime create failed: /,
  /^runc create failed: /,
  /^unable to start container process: /,
  /^Internal error occurred: /,
];

/** The beginning of an event that says which image could not be pulled. */
const pulls = /^Failed to pull image "([^"]*)": /;

/**
 * Long parts that say little: the rest of a digest, the path of a request, the uid of a Pod, why nothing was preempted.
 */
const padding: readonly (readonly [RegExp, string])[] = [
  [/\b(sha(?:256|512):[0-9a-f]{12})[0-9a-f]{20,}/g, '$1…'],
  [/\b((?:Head|Get) "https?:\/\/[^/"]+)\/[^"]*"/g, '$1"'],
  [/\b(pod \S+?)_[a-z0-9-]+\([0-9a-f-]{36}\)/g, '$1'],
  [/\. (?:no new claims to deallocate|preemption:).*/, ''],
  [/\. not found$/, ''],
];

/** Shortens a message or the name of an image by its long parts that say little. */
export function briefly(text: string): string {
  return padding.reduce((rest, [pattern, left]) => rest.replace(pattern, left), text);
}

/** Unwraps a message of Kubernetes or of a container runtime, and returns its point in one line. */
export function plainly(message: string): string {
  const whole = briefly(oneLine(message, 4096).replace(/^Error: /, ''));
  const pull = pulls.exec(whole);
  let line = pull === null ? whole : whole.slice(pull[0].length);
  for (let before = ''; before !== line; ) {
    before = line;
    line = wrappings.reduce((rest, wrapping) => rest.replace(wrapping, ''), line);
  }
  line = line.replace(/: unknown$/, '');
  if (pull === null) return line;
  const image = `${pull[1]}: `;
  return pull[0] + (line.startsWith(image) ? line.slice(image.length) : line);
}
