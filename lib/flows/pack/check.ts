import { type Flow, lend } from '../../kernel/events/index.ts';
import {
  type ClosureFinding,
  type DrawnObject,
  type ReportedImage,
  reportImages,
  requireLikely,
} from '../../shared/rendering/index.ts';
import { proveClosed } from './closure.ts';
import { type InputsRequest, prepare } from './prepare.ts';

/** What to check. Paths are absolute. */
export type CheckRequest = InputsRequest;

/** The result of checking a definition. */
export interface CheckResult {
  /** Path of the definition. */
  readonly definition: string;
  readonly name: string;
  readonly version: string;
  /** Whether nothing was found. */
  readonly ok: boolean;
  readonly findings: readonly ClosureFinding[];
  /** The images that its objects name, wherever they do so. */
  readonly images: readonly ReportedImage[];
  /** The Kubernetes versions that components were rendered for; empty where that is Helm's own. */
  readonly kubernetes: readonly string[];
  /** Components that only the node can render, of which nothing was proved. */
  readonly unproved: readonly string[];
  /** The objects with values that are random, or depend on the clock, when they are rendered. */
  readonly drawn: readonly DrawnObject[];
  /** The images that no component names and the definition does not say to keep. */
  readonly unused: readonly string[];
}

/**
 * Does everything that `pack` does before it writes, and writes nothing. Throws as `pack`, except for what it returns
 * as a finding.
 */
export async function check(request: CheckRequest, flow: Flow): Promise<CheckResult> {
  const { definition: path } = request;
  return lend(await prepare(request, flow), async ({ inputs, content, before }) => {
    const asked = {
      definition: path,
      inputs,
      content,
      before,
      strict: request.strict === true,
      apis: request.apiVersions,
    };
    const { findings, used, kubernetes, unproved, drawn, unused } = await proveClosed(asked, flow);
    if (!asked.strict) requireLikely(used, false, flow);
    const { name, version } = inputs.definition;
    const images = reportImages(used);
    return {
      definition: path,
      name,
      version,
      ok: findings.length === 0,
      findings,
      images,
      kubernetes,
      unproved,
      drawn,
      unused,
    };
  });
}
