import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { reportsOf, type Service, type Site } from './site.ts';
import { runSteps } from './steps.ts';

interface Task {
  readonly spec: {
    readonly stepTemplate: { readonly workingDir: string; readonly env: readonly { name: string; value: string }[] };
    readonly steps: readonly { readonly name: string; readonly script: string }[];
  };
}

/**
 * Runs the steps of a Task, with its workspaces as folders and Secrets in them as files of the mode that the TaskRun
 * asks for.
 */
export const tekton: Service = async (pipeline, site) => {
  const [task, run] = parseAllDocuments(pipeline).map((document) => document.toJS());
  const known = new Map<string, string>([['workspaces.source.path', site.checkout]]);
  for (const { name, value } of run.spec.params) known.set(`params.${name}`, value);
  for (const { name, secret } of run.spec.workspaces) {
    if (secret) known.set(`workspaces.${name}.path`, mounted(name, secret.defaultMode, site));
  }
  known.set('params.repository', site.repository);
  const { stepTemplate, steps } = (task as Task).spec;
  const own = stepTemplate.env.map(({ name, value }) => [name, replaced(value, known)]);
  const shellSteps = steps.map(({ name, script }) => {
    const path = join(site.service, name);
    writeFileSync(path, script, { mode: 0o755 });
    // As Tekton does: by the line that it begins with.
    return { name, shell: ['env'] as const, script: path, env: () => ({ ...site.env, ...Object.fromEntries(own) }) };
  });
  return runSteps(shellSteps, replaced(stepTemplate.workingDir, known), reportsOf);
};

/** A folder that a Secret is mounted at. */
function mounted(name: string, mode: number, { service, secrets }: Site): string {
  const contents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    signing: { 'release.key': secrets.key, passphrase: secrets.passphrase },
    registry: { 'auth.json': secrets.auth },
  };
  const folder = join(service, 'workspace', name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(contents[name]!)) writeFileSync(join(folder, file), `${text}\n`, { mode });
  return folder;
}

function replaced(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$\((\S+?)\)/g, (_, name: string) => {
    if (!known.has(name)) throw new Error(`the TaskRun does not say what ${name} is`);
    return known.get(name)!;
  });
}
