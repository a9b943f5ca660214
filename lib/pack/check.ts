import { type Flow, lend } from '../flow.ts';
import type { ClosureFinding } from '../rendering/closure/findings.ts';
import { proveClosed } from './closure.ts';
import { type InputsRequest, prepare } from './prepare.ts';

/** What to check. Paths are absolute. */
export type CheckRequest = InputsRequest;

/** What was found of a definition. */
export interface CheckResult {
  /** Path of the definition. */
  readonly definition: string;
  readonly name: string;
  readonly version: string;
  /** Whether nothing was found. */
  readonly ok: boolean;
  readonly findings: readonly ClosureFinding[];
  /** The Kubernetes versions that components were rendered for; empty where that is Helm's own. */
  readonly kubernetes: readonly string[];
  /** Components that only the node can render, of which nothing was proved. */
  readonly unproved: readonly string[];
}

/** Does all that `pack` does before it writes, and writes nothing. Throws as `pack`, but for what is a finding. */
export async function check(request: CheckRequest, flow: Flow): Promise<CheckResult> {
  const { definition: path } = request;
  return lend(await prepare(request, flow), async ({ inputs, content, before }) => {
    const { findings, kubernetes, unproved } = await proveClosed({ definition: path, inputs, content, before }, flow);
    const { name, version } = inputs.definition;
    return { definition: path, name, version, ok: findings.length === 0, findings, kubernetes, unproved };
  });
}
