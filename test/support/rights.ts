import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import type { KubernetesObject } from '../../formats/manifest/object.ts';
import type { ControlPlane } from './control-plane.ts';

/**
 * Reads the least roles of commands that the page for operators has, by their names without \`solpack-\`, and the text
 * of all.
 */
export function pageRoles(): { readonly block: string; readonly roles: ReadonlyMap<string, KubernetesObject> } {
  const page = readFileSync(join(import.meta.dirname, '../../docs/rights.md'), 'utf8');
  const block = /```yaml\n(# install, load[^`]*)```/.exec(page)?.[1] ?? '';
  const roles = parseDocuments(block, 'rights.md').map(
    (role) => [role.metadata.name.replace('solpack-', ''), role] as const,
  );
  return { block, roles: new Map(roles) };
}

/** Gives a user those rights, in a namespace or everywhere. */
export async function allowed(
  plane: ControlPlane,
  to: {
    readonly role: string;
    readonly user: string;
    readonly rules: unknown;
    readonly namespace?: string | undefined;
  },
): Promise<void> {
  const { role, user, rules, namespace } = to;
  const group = 'rbac.authorization.k8s.io';
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const metadata = { name: role, ...(namespace === undefined ? {} : { namespace }) };
  const made = [
    { apiVersion: `${group}/v1`, kind, metadata, rules },
    {
      ...{ apiVersion: `${group}/v1`, kind: `${kind}Binding`, metadata },
      roleRef: { apiGroup: group, kind, name: role },
      subjects: [{ apiGroup: group, kind: 'User', name: user }],
    },
  ];
  const input = made.map((one) => JSON.stringify(one)).join('\n---\n');
  const { code, stderr } = await plane.tried(['apply', '-f', '-'], { input });
  if (code !== 0) throw new Error(`${role} cannot be given: ${stderr}`);
}

/** Makes a user who has those rights and no others; returns his kubeconfig. */
export async function userWith(
  plane: ControlPlane,
  {
    user,
    rules,
    namespace,
  }: { readonly user: string; readonly rules: unknown; readonly namespace?: string | undefined },
): Promise<string> {
  await allowed(plane, { role: `solpack-${user}`, user, rules, namespace });
  return plane.userKubeconfig(user);
}
