import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf, shStepsOf, within } from './jenkinsfile.ts';
import type { Service, Site } from './site.ts';
import { runSteps } from './steps.ts';

/**
 * Runs the `sh` steps of a Jenkinsfile as an agent does: one that has solpack, with secret files for those that ask.
 */
export const jenkins: Service = async (pipeline, site) => {
  const parts = partsOf(pipeline);
  const set = within(parts, 'pipeline', 'environment').map(({ head }) => /^(\w+) = '(.*)'$/.exec(head)!.slice(1));
  const env = { ...site.env, ...Object.fromEntries(set), REPOSITORY: site.repository };
  const own = shStepsOf(parts).filter(({ forTags }) => site.tag || !forTags);
  const steps = own.map(({ stage, script, files }) => {
    const secret = Object.entries(files).map(([name, id]) => [name, secretFile(id, site)]);
    // What Jenkins runs, so that each command is in its log.
    return {
      name: stage,
      shell: ['sh', '-xec'] as const,
      script,
      env: () => ({ ...env, ...Object.fromEntries(secret) }),
    };
  });
  const archived = ['always', 'success'].flatMap((when) =>
    within(parts, 'pipeline', 'post', when).flatMap(({ head }) => /artifacts: '([^']*)'/.exec(head)![1]!.split(', ')),
  );
  return runSteps(steps, site.checkout, archived);
};

/** The file that the credentials plugin makes of a secret, which its user alone reads. */
function secretFile(id: string, { service, secrets }: Site): string {
  const known: Readonly<Record<string, string>> = {
    'release-key': secrets.key,
    'release-passphrase': secrets.passphrase,
    'registry-auth': secrets.auth,
  };
  if (known[id] === undefined) throw new Error(`the page does not say what ${id} is`);
  const path = join(service, id);
  writeFileSync(path, `${known[id]}\n`, { flag: 'w', mode: 0o600 });
  return path;
}
