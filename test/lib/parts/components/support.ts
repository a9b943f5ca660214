import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collect as gather } from '../../../../formats/bytes.ts';
import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import type { Flow } from '../../../../lib/kernel/events/flow.ts';
import { pathFolders } from '../../../../lib/kernel/events/host.ts';
import type {
  Collected,
  ComponentKind,
  ComponentKindName,
  ComponentSpec,
  UnpackedComponent,
} from '../../../../lib/parts/components/kind.ts';
import { toolFolder } from '../../../support/judges.ts';

/** A file's text, an executable's text, or what a symbolic link points to. */
export type Planted = string | { readonly program: string | Uint8Array } | { readonly link: string };

/** Writes files below `folder`, which is made, and returns it. */
export function plant(folder: string, files: Readonly<Record<string, Planted>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    if (typeof content === 'string') writeFileSync(full, content);
    else if ('link' in content) symlinkSync(content.link, full);
    else {
      writeFileSync(full, content.program);
      chmodSync(full, 0o755);
    }
  }
  return folder;
}

/** What the author wrote, with `root` as the definition's folder. */
export function specOf(
  kind: ComponentKindName,
  root: string,
  path: string,
  values: readonly string[] = [],
): ComponentSpec {
  return { name: 'web', kind, root, path: join(root, path), values: values.map((one) => join(root, one)) };
}

/** Writes what was collected to `folder`, as an install does. */
export async function unpacked(collected: Collected, folder: string): Promise<UnpackedComponent> {
  for (const file of collected.files) {
    const full = join(folder, file.path);
    mkdirSync(dirname(full), { recursive: true });
    const bytes = await gather(file.open(), 64 * 1024 * 1024);
    if (bytes.length !== file.size) throw new Error(`${file.path} has ${bytes.length} bytes, not ${file.size}`);
    writeFileSync(full, bytes);
    chmodSync(full, file.mode);
  }
  return {
    name: 'web',
    folder,
    entry: collected.entry,
    values: collected.values,
    namespace: 'guestbook',
    release: 'web',
    solution: { name: 'guestbook', version: '1.1.0' },
    cluster: undefined,
    variables: {},
  };
}

/**
 * A plugin in sh that answers `api-version` with what the commands `version` print, and `run` with what `run` prints.
 */
export function plugin(run: string, version = 'echo v1'): Planted {
  const question = `if [ "$#" = 1 ] && [ "$1" = api-version ]; then\n${version}\nexit\nfi\n[ "$1" = run ] || exit 99`;
  return { program: `#!/bin/sh\n${question}\n${run}\n` };
}

/** A flow that finds the programs of the project first, and keeps the events. */
export function flowIn(temp: string, path?: readonly string[]): Flow & { events: Event[] } {
  const events: Event[] = [];
  mkdirSync(temp, { recursive: true });
  return {
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    events,
    host: { path: path ?? [toolFolder, ...pathFolders(process.env['PATH'])], temp },
  };
}

/** A small object of the API. */
export function configMap(name: string, data = 'value'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  key: ${data}\n`;
}

/** Renders a component by its kind; its objects alone, without their sources. */
export async function objectsBy(
  kind: ComponentKind,
  component: UnpackedComponent,
  flow: Flow,
): Promise<KubernetesObject[]> {
  return (await kind.render(component, flow)).map(({ object }) => object);
}
