import type { HttpTiming } from '../../../../../kernel/http/index.ts';
import { ApiError, type KubernetesApi } from '../api.ts';
import type { ApiSession } from './api-session.ts';
import { resourcePath } from './resource-path.ts';

/** Bytes of a log that are asked for, and characters of a line that are shown. */
const limits = { bytes: 1024 * 1024, line: 4096 } as const;

const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, verbs: [] } as const;

/**
 * Reads the last lines that a container printed. None are available if it has not started, the Pod is gone,
 * or its kubelet does not answer: a log only explains a failure, and must not become another one.
 */
export function logCalls(session: ApiSession, timing: HttpTiming): KubernetesApi['log'] {
  return async (pod, container, { previous, lines, blank, orThrow = false }, signal) => {
    const query = {
      container,
      tailLines: String(lines),
      limitBytes: String(limits.bytes),
      previous: previous ? 'true' : undefined,
    };
    try {
      const reply = await session.send({
        method: 'GET',
        path: `${resourcePath(pods, pod)}/log`,
        query,
        headers: { accept: 'text/plain, */*' },
        verb: 'read the log of',
        subject: `Pod ${pod.namespace}/${pod.name}`,
        timing: { ...timing, total: 0 },
        signal,
      });
      const text = reply.text();
      // What a line that was cut begins with may be the half of a secret, which nothing recognises.
      const whole = Buffer.byteLength(text) < limits.bytes ? text : text.slice(0, text.lastIndexOf('\n') + 1);
      return linesOf(whole, blank).slice(-lines);
    } catch (error) {
      if (orThrow) throw error;
      if (error instanceof ApiError && error.status !== 0 && error.status !== 401) return [];
      throw error;
    }
  };
}

/** Returns lines without what would move a terminal's cursor or colours. */
function linesOf(text: string, blank: (line: string) => string = (line) => line): string[] {
  const plain = text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  const lines = plain.split('\n').map((line) => blank(line.trimEnd()).slice(0, limits.line));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
